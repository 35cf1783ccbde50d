//! A wheel as pip takes it: a zip archive with a record of what is in it.

use crate::archive;
use crate::plugin::Files;
use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// The ending of the folder with the description of a wheel.
const DESCRIPTION: &str = ".dist-info/";

/// Packs files with their record; the name of the wheel is that of the folder with its description.
pub(crate) fn write(mut files: Files, moment: i64, programs: &[&str]) -> Result<Vec<u8>> {
    let folder = files.names().find_map(|name| Some(name.split_once(DESCRIPTION)?.0));
    let folder = folder.context("a wheel has a folder that ends with .dist-info")?;
    let record = format!("{folder}{DESCRIPTION}RECORD");
    let line = |(name, bytes): (&str, &[u8])| {
        format!("{name},sha256={},{}\n", URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)), bytes.len())
    };
    let lines: String = files.iter().map(line).collect();
    // The record does not know its own sum.
    files.put(&record, format!("{lines}{record},,\n").into_bytes());
    archive::write(&files, moment, programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_has_every_file_with_its_sum_and_size() {
        let mut files = Files::default();
        files.put("a-1.0.dist-info/METADATA", b"Name: a\n".to_vec());
        files.put("a-1.0.data/scripts/a", b"hello".to_vec());
        let made = write(files.clone(), 1_790_000_000, &["a-1.0.data/scripts/a"]).unwrap();
        let package = archive::read(&made).unwrap();
        let record = package.files.text("a-1.0.dist-info/RECORD");
        let lines: Vec<&str> = record.lines().collect();
        assert_eq!(lines.len(), package.files.len());
        // The digest as `printf hello | openssl sha256 -binary | base64` prints it, for addresses and without `=`.
        assert_eq!(lines[0], "a-1.0.data/scripts/a,sha256=LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ,5");
        assert_eq!(lines[2], "a-1.0.dist-info/RECORD,,");
        assert_eq!(made, write(files, 1_790_000_000, &["a-1.0.data/scripts/a"]).unwrap());
        assert!(write(Files::default(), 1_790_000_000, &[]).is_err(), "nothing says what it is");
    }
}
