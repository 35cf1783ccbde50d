//! Reads a client's lines in pieces; drops a line that is too long and keeps only the id of its request.
//!
//! The line codec of tokio-util is not used: it discards an overlong line from its start, so the request in it could
//! not be answered under its id, and its buffer keeps the size of the longest line.

mod skim;

use std::io;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

pub(crate) use skim::Skim;

/// The capacity that the buffer keeps between lines, in bytes.
const ROOM: usize = 64 * 1024;
/// The byte order mark that some programs write before their first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of a client.
#[derive(Debug)]
pub(crate) struct Input<R> {
    from: BufReader<R>,
    most: usize,
    /// The part of a line that has arrived: a read may be cancelled at any time and resumes here.
    line: Vec<u8>,
    /// The part that has arrived of a line that is too long: none of it is kept but the id.
    dropped: Option<Skim>,
}

/// The outcome of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputRead {
    /// A line is ready to be taken.
    Line,
    /// A line exceeds the limit, and has ended; the id of its request.
    TooLong(Option<Value>),
    End,
}

impl<R: AsyncRead + Unpin> Input<R> {
    /// Reads lines of at most `most` bytes.
    pub(crate) fn new(from: R, most: usize) -> Input<R> {
        Input { from: BufReader::new(from), most, line: Vec::new(), dropped: None }
    }

    /// The maximum length of a line, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    pub(crate) async fn read(&mut self) -> io::Result<InputRead> {
        loop {
            let here = self.from.fill_buf().await?;
            if here.is_empty() {
                // The last line may lack its line break.
                return Ok(match self.dropped.take() {
                    Some(dropped) => InputRead::TooLong(dropped.id()),
                    None if self.line.is_empty() => InputRead::End,
                    None => InputRead::Line,
                });
            }
            let end = here.iter().position(|byte| *byte == b'\n');
            let part = here.get(..end.unwrap_or(here.len())).unwrap_or_default();
            if self.dropped.is_none() && self.line.len() + part.len() > self.most {
                self.dropped.get_or_insert_default().feed(&std::mem::take(&mut self.line));
            }
            match &mut self.dropped {
                Some(dropped) => dropped.feed(part),
                None => self.line.extend_from_slice(part),
            }
            let taken = part.len() + usize::from(end.is_some());
            self.from.consume(taken);
            if end.is_some() {
                return Ok(match self.dropped.take() {
                    Some(dropped) => InputRead::TooLong(dropped.id()),
                    None => InputRead::Line,
                });
            }
        }
    }

    /// The length of the line that was read, in bytes.
    pub(crate) fn length(&self) -> usize {
        self.line.len()
    }

    /// Takes the line that was read and passes it to `read`.
    pub(crate) fn take<T>(&mut self, read: impl FnOnce(&[u8]) -> T) -> T {
        let taken = read(bare(&self.line));
        self.line.clear();
        self.line.shrink_to(ROOM);
        taken
    }
}

/// A line without its byte order mark and line end.
fn bare(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii()
}
