//! The archive: the same files and the same moment always give the same bytes (B-320, B-325).

use crate::plugin::Files;
use anyhow::{Context as _, Result, bail};
use std::io::{Cursor, Read as _, Write as _};
use time::OffsetDateTime;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// An archive that was read.
pub(crate) struct Package {
    /// Bytes of the archive.
    pub(crate) size: u64,
    pub(crate) files: Files,
    /// The times of its files, each once.
    pub(crate) moments: Vec<Option<DateTime>>,
}

impl Package {
    /// Unpacks it.
    pub(crate) fn save(&self, folder: &std::path::Path) -> Result<()> {
        self.files.save(folder)
    }
}

/// Packs files; all carry the moment, in seconds since 1970. Programs may be run where they are unpacked.
///
/// SiYuan keeps the times of files that it unpacks, and its sync takes a file of the same name and time for the same
/// file. So the moment is that of the release: with a fixed one, an update would not reach the other devices.
pub(crate) fn write(files: &Files, moment: i64, programs: &[&str]) -> Result<Vec<u8>> {
    let moment = dos(moment)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files.iter() {
        let packed = [".br", ".png"].iter().any(|ending| name.ends_with(ending));
        let method = if packed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let level = if packed { None } else { Some(9) };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .compression_level(level)
            .last_modified_time(moment)
            .unix_permissions(if programs.contains(&name) { 0o755 } else { 0o644 });
        zip.start_file(name, options).with_context(|| format!("{name} cannot be packed"))?;
        zip.write_all(bytes).with_context(|| format!("{name} cannot be packed"))?;
    }
    Ok(zip.finish().context("the package cannot be finished")?.into_inner())
}

/// Archives know local time without a zone, to two seconds; it is written in UTC.
fn dos(moment: i64) -> Result<DateTime> {
    let at = OffsetDateTime::from_unix_timestamp(moment).context("--moment is out of range")?;
    let year = u16::try_from(at.year()).context("--moment is out of range")?;
    DateTime::from_date_and_time(
        year,
        at.month().into(),
        at.day(),
        at.hour(),
        at.minute(),
        at.second() / 2 * 2,
    )
    .context("--moment must lie after 1980")
}

/// Reads an archive.
pub(crate) fn read(bytes: &[u8]) -> Result<Package> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).context("this is no zip archive")?;
    let mut package = Package { size: bytes.len() as u64, files: Files::default(), moments: Vec::new() };
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).context("the archive is damaged")?;
        let moment = entry.last_modified();
        if !package.moments.contains(&moment) {
            package.moments.push(moment);
        }
        if entry.is_dir() {
            continue;
        }
        let name = entry.name().context("a name in the archive cannot be read")?.into_owned();
        if package.files.get(&name).is_some() {
            bail!("{name} is in the archive twice");
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content).with_context(|| format!("{name} is damaged"))?;
        package.files.put(&name, content);
    }
    Ok(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOMENT: i64 = 1_790_000_001;

    fn files(order: &[&str]) -> Files {
        let mut files = Files::default();
        for name in order {
            files.put(name, name.repeat(100).into_bytes());
        }
        files
    }

    /// B-325: neither the order in which files were found nor the time of packing shows.
    #[test]
    fn same_files_give_the_same_bytes() {
        let one = write(&files(&["index.js", "icon.png", "i18n/en.json"]), MOMENT, &[]).unwrap();
        let other = write(&files(&["i18n/en.json", "index.js", "icon.png"]), MOMENT, &[]).unwrap();
        assert_eq!(one, other);
        assert_ne!(one, write(&files(&["index.js", "icon.png", "i18n/en.json"]), MOMENT + 2, &[]).unwrap());
    }

    #[test]
    fn packed_files_are_read_with_the_moment() {
        let package = read(&write(&files(&["index.js", "icon.png"]), MOMENT, &[]).unwrap()).unwrap();
        assert_eq!(package.files.names().collect::<Vec<_>>(), ["icon.png", "index.js"]);
        assert_eq!(package.files.text("index.js"), "index.js".repeat(100));
        let [Some(moment)] = package.moments.as_slice() else { panic!("{:?}", package.moments) };
        assert_eq!((moment.year(), moment.month(), moment.day(), moment.second()), (2026, 9, 21, 20));
    }

    /// B-326: who unpacks a bundle can run what is in it.
    #[test]
    fn programs_of_bundles_may_be_run() {
        let bytes = write(&files(&["LICENSE", "siyuan-puppy"]), MOMENT, &["siyuan-puppy"]).unwrap();
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut mode = |name: &str| zip.by_name(name).unwrap().unix_mode().unwrap() & 0o777;
        assert_eq!((mode("LICENSE"), mode("siyuan-puppy")), (0o644, 0o755));
    }

    #[test]
    fn damaged_archives_are_errors() {
        let mut bytes = write(&files(&["index.js"]), MOMENT, &[]).unwrap();
        assert!(read(b"no archive").is_err());
        let middle = bytes.iter().position(|&byte| byte == b'.').unwrap() + 10;
        bytes[middle] ^= 0xff;
        assert!(read(&bytes).is_err());
        assert!(write(&files(&["index.js"]), 0, &[]).is_err(), "archives know no time before 1980");
    }
}
