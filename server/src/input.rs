//! Reads a client's lines in pieces; drops a line that is too long and keeps only the id of its request.
//!
//! The line codec of tokio-util is not used: it discards an overlong line from its start, so the request in it could
//! not be answered under its id, and its buffer keeps the size of the longest line.

use std::fmt;
use std::io;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The capacity that the buffer keeps between lines, in bytes.
const ROOM: usize = 64 * 1024;
/// The number of bytes at the start of an overlong line that are searched for the id.
const START: usize = 4 * 1024;
/// The byte order mark that some programs write before their first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of a client.
#[derive(Debug)]
pub(crate) struct Input<R> {
    from: BufReader<R>,
    most: usize,
    /// The part of a line that has arrived: a read may be cancelled at any time and resumes here.
    line: Vec<u8>,
    /// Whether the rest of the current line is dropped because the line is too long.
    is_dropping: bool,
}

/// The outcome of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Read {
    /// A line is ready to be taken.
    Line,
    /// A line exceeds the limit; holds the id of its request if the id is at the start.
    TooLong(Option<Value>),
    End,
}

impl<R: AsyncRead + Unpin> Input<R> {
    /// Reads lines of at most `most` bytes.
    pub(crate) fn new(from: R, most: usize) -> Input<R> {
        Input { from: BufReader::new(from), most, line: Vec::new(), is_dropping: false }
    }

    /// The maximum length of a line, in bytes.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Reads one line.
    pub(crate) async fn read(&mut self) -> io::Result<Read> {
        loop {
            let here = self.from.fill_buf().await?;
            if here.is_empty() {
                // The last line may lack its line break.
                return Ok(if self.line.is_empty() { Read::End } else { Read::Line });
            }
            let end = here.iter().position(|byte| *byte == b'\n');
            let part = here.get(..end.unwrap_or(here.len())).unwrap_or_default();
            let is_too_long = !self.is_dropping && self.line.len() + part.len() > self.most;
            let mut id = None;
            if is_too_long {
                let missing = START.saturating_sub(self.line.len()).min(part.len());
                self.line.extend_from_slice(part.get(..missing).unwrap_or_default());
                id = request_id(bare(self.line.get(..START).unwrap_or(&self.line)));
                self.line = Vec::new();
                self.is_dropping = true;
            } else if !self.is_dropping {
                self.line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.from.consume(taken);
            let was_dropped = self.is_dropping;
            self.is_dropping &= end.is_none();
            if is_too_long {
                return Ok(Read::TooLong(id));
            }
            if end.is_some() && !was_dropped {
                return Ok(Read::Line);
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

/// The id of the request that starts with this text. The id of an answer names one of our questions and does not count.
fn request_id(start: &[u8]) -> Option<Value> {
    let mut seen = Seen::default();
    // Truncated text is not valid JSON; the fields read up to that point count.
    let _ = seen.deserialize(&mut serde_json::Deserializer::from_slice(start));
    seen.id.filter(|id| seen.is_request && (id.is_string() || id.is_number()))
}

/// The fields seen at the start of a message.
#[derive(Debug, Default)]
struct Seen {
    id: Option<Value>,
    is_request: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Seen {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Seen {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut id, mut has_id) = (None, false);
        loop {
            let key: Option<String> = map.next_key()?;
            // Only the next field proves that the id is complete.
            if id.is_some() {
                self.id = if std::mem::replace(&mut has_id, true) { None } else { id.take() };
            }
            match key.as_deref() {
                None => return Ok(()),
                Some("id") => id = Some(map.next_value()?),
                Some("method") => {
                    let method: Value = map.next_value()?;
                    self.is_request = method.is_string();
                }
                Some(_) => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(text: &str) -> Option<Value> {
        request_id(text.as_bytes())
    }

    #[test]
    fn id_of_a_truncated_request_is_found() {
        let rest = r#""params":{"name":"fs","arguments":{"markdown":"xxx"#;
        assert_eq!(id(&format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call",{rest}"#)), Some(json!(7)));
        assert_eq!(
            id(&format!(r#"{{"method":"tools/call","id":"a-\u00e9","jsonrpc":"2.0",{rest}"#)),
            Some(json!("a-é"))
        );
        assert_eq!(id(&format!(r#"{{"id":-1,"params":{{"id":3}},"method":"x",{rest}"#)), Some(json!(-1)));
        // An id that is not at the start, is truncated, belongs to an answer, appears twice, or is absent.
        for none in [
            rest.to_owned(),
            format!("{{{rest}"),
            r#"{"method":"x","id":12"#.to_owned(),
            r#"{"method":"x","id":"12"#.to_owned(),
            format!(r#"{{"id":7,"result":{{}},{rest}"#),
            format!(r#"{{"method":"x","id":7,"id":8,{rest}"#),
            format!(r#"{{"method":"x","id":[7],{rest}"#),
            format!(r#"{{"method":"x","id":null,{rest}"#),
            format!(r#"[{{"id":7,"method":"x",{rest}"#),
            String::new(),
        ] {
            assert_eq!(id(&none), None, "{none}");
        }
    }
}
