//! A tarball as npm takes it: the same files and the same moment always give the same bytes.

use crate::plugin::Files;
use anyhow::{Context as _, Result, bail};
use flate2::{Compression, GzBuilder};
use std::io::Write as _;

/// Bytes of a header, and of what a file is filled up to.
const BLOCK: usize = 512;
/// The longest name in a plain header.
const LONGEST_NAME: usize = 100;

/// Packs files; all carry the moment, in seconds since 1970. Programs may be run where they are unpacked.
pub(crate) fn write(files: &Files, moment: i64, programs: &[&str]) -> Result<Vec<u8>> {
    let mut tar = Vec::new();
    for (name, bytes) in files.iter() {
        let mode = if programs.contains(&name) { 0o755 } else { 0o644 };
        tar.extend(header(name, bytes.len(), moment, mode)?);
        tar.extend(bytes);
        tar.resize(tar.len().next_multiple_of(BLOCK), 0);
    }
    // Two empty blocks are the end.
    tar.resize(tar.len() + 2 * BLOCK, 0);
    // Neither the time of packing nor the system on which it was done.
    let mut gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    gzip.write_all(&tar).context("the tarball cannot be packed")?;
    gzip.finish().context("the tarball cannot be finished")
}

/// The header of a file, as POSIX.1-1988 (ustar) has it.
fn header(name: &str, size: usize, moment: i64, mode: u32) -> Result<[u8; BLOCK]> {
    if name.len() >= LONGEST_NAME {
        bail!("{name} is too long for a tarball");
    }
    let moment = u64::try_from(moment).context("--moment must not lie before 1970")?;
    let mut block = [0; BLOCK];
    // Every field is shorter than the header, and the name was measured.
    let mut put = |at: usize, text: &[u8]| {
        block.iter_mut().skip(at).zip(text).for_each(|(place, byte)| *place = *byte);
    };
    put(0, name.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{moment:011o}").as_bytes());
    // The sum is made with spaces in its own place.
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read as _;

    fn files(order: &[&str]) -> Files {
        let mut files = Files::default();
        order.iter().for_each(|name| files.put(name, name.repeat(100).into_bytes()));
        files
    }

    #[test]
    fn same_files_give_the_same_tarball() {
        let one = write(&files(&["package/a.js", "package/LICENSE"]), 1_790_000_000, &[]).unwrap();
        assert_eq!(one, write(&files(&["package/LICENSE", "package/a.js"]), 1_790_000_000, &[]).unwrap());
        assert_ne!(one, write(&files(&["package/a.js", "package/LICENSE"]), 1_790_000_001, &[]).unwrap());
        assert_eq!(one[4..8], [0; 4], "no time of packing");
    }

    #[test]
    fn headers_have_name_size_time_rights_and_a_sum() {
        let packed = write(&files(&["package/bin/a", "package/b"]), 8, &["package/bin/a"]).unwrap();
        let mut tar = Vec::new();
        GzDecoder::new(packed.as_slice()).read_to_end(&mut tar).unwrap();
        let at = |block: usize| &tar[block * BLOCK..(block + 1) * BLOCK];
        let text = |block: usize, from: usize, to: usize| {
            String::from_utf8_lossy(&at(block)[from..to]).trim_end_matches(['\0', ' ']).to_owned()
        };
        // In the order of names: `b` has 900 bytes, which fill two blocks.
        assert_eq!((text(0, 0, 100), text(3, 0, 100)), ("package/b".into(), "package/bin/a".into()));
        assert_eq!((text(0, 100, 108), text(3, 100, 108)), ("0000644".into(), "0000755".into()));
        assert_eq!((text(0, 124, 136), text(0, 136, 148)), (format!("{:011o}", 900), "00000000010".into()));
        assert_eq!(text(0, 257, 263), "ustar");
        let spaces = 8 * u32::from(b' ');
        let rest = at(0).iter().enumerate().filter(|(at, _)| !(148..156).contains(at));
        let sum: u32 = rest.map(|(_, byte)| u32::from(*byte)).sum::<u32>() + spaces;
        assert_eq!(text(0, 148, 154), format!("{sum:06o}"));
        assert!(tar.ends_with(&[0; 2 * BLOCK]) && tar.len().is_multiple_of(BLOCK));
    }

    #[test]
    fn names_that_do_not_fit_are_errors() {
        assert!(write(&files(&["a".repeat(100).as_str()]), 0, &[]).is_err());
        assert!(write(&files(&["a"]), -1, &[]).is_err());
    }
}
