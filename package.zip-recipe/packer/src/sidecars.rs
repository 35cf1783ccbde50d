//! The sidecars of a package: each program packed with brotli, and a manifest with what must come out of it. The light
//! package has the manifest only, which says where the page downloads them.
//!
//! Brotli is the smaller one of the two formats that the page can undo in SiYuan: with gzip, five platforms would take
//! more than a package may.

use crate::plugin::Files;
use crate::program;
use anyhow::{Context as _, Result, bail};
use brotli::enc::BrotliEncoderParams;
use brotli::{BrotliCompress, Decompressor};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::Read as _;

/// The folder of the package.
pub(crate) const FOLDER: &str = "sidecar/";
/// The manifest that index.js reads.
pub(crate) const MANIFEST: &str = "sidecar/manifest.json";
/// The ending of packed programs.
pub(crate) const PACKED: &str = ".br";
/// The beginning of the address of a release's file; version and name follow.
const RELEASES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download/v");
/// Bytes of a sidecar that are unpacked at most, whatever a manifest says.
const LARGEST: u64 = 32_000_000;
/// The bytes that the decompressor reads at a time.
const CHUNK: usize = 64 * 1024;

/// The time to spend on compression.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    /// Half a minute a program, for a release.
    Full,
    /// A second, for tests.
    Little,
}

/// The manifest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sidecars {
    /// The version of the plugin and of the programs.
    pub(crate) version: String,
    /// By platform, as Node names it: `process.platform` and `process.arch`.
    pub(crate) platforms: BTreeMap<String, Sidecar>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sidecar {
    /// The name in the folder of the manifest.
    pub(crate) file: String,
    /// Of the program, not of the file.
    pub(crate) sha256: String,
    /// Bytes of the program.
    pub(crate) size: u64,
    /// The file of the release, in a package without programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) download: Option<Download>,
}

/// A packed program outside of the package.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Download {
    /// The address of the release's file.
    pub(crate) url: String,
    /// Of the file, not of the program.
    pub(crate) sha256: String,
    /// Bytes of the file.
    pub(crate) size: u64,
}

impl Sidecars {
    pub(crate) fn new(version: &str) -> Self {
        Self { version: version.to_owned(), platforms: BTreeMap::new() }
    }

    /// Reads the manifest of a plugin.
    pub(crate) fn of(files: &Files) -> Result<Self> {
        let manifest = files.get(MANIFEST).with_context(|| format!("there is no {MANIFEST}"))?;
        serde_json::from_slice(manifest).with_context(|| format!("{MANIFEST} cannot be read"))
    }

    /// Packs a program and adds it to the files.
    pub(crate) fn put_in(
        &mut self,
        files: &mut Files,
        platform: &str,
        program: &[u8],
        effort: Effort,
    ) -> Result<()> {
        match program::platform(program) {
            Some(found) if found == platform => {}
            Some(found) => bail!("the sidecar for {platform} is a program for {found}"),
            None => bail!("the sidecar for {platform} is no program for any of {:?}", program::PLATFORMS),
        }
        let file = format!("siyuan-puppy-{platform}{PACKED}");
        let quality = match effort {
            Effort::Full => 11,
            Effort::Little => 5,
        };
        let settings = BrotliEncoderParams {
            quality,
            lgwin: 24,
            size_hint: program.len(),
            ..BrotliEncoderParams::default()
        };
        let mut packed = Vec::new();
        BrotliCompress(&mut &*program, &mut packed, &settings).context("the program cannot be packed")?;
        files.put(&format!("{FOLDER}{file}"), packed);
        let sidecar = Sidecar { file, sha256: sha256(program), size: program.len() as u64, download: None };
        self.platforms.insert(platform.to_owned(), sidecar);
        Ok(())
    }

    /// Adds the manifest.
    pub(crate) fn finish(&self, files: &mut Files) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        files.put(MANIFEST, text.into_bytes());
        Ok(())
    }
}

impl Sidecar {
    /// The program, if what is packed is what the manifest says.
    pub(crate) fn program(&self, files: &Files) -> Result<Vec<u8>> {
        let name = format!("{FOLDER}{}", self.file);
        self.unpacked(files.get(&name).with_context(|| format!("{name} is missing"))?)
    }

    /// The program in a packed file, if it is what the manifest says.
    pub(crate) fn unpacked(&self, packed: &[u8]) -> Result<Vec<u8>> {
        let name = &self.file;
        if self.size > LARGEST {
            bail!("{name} holds {} bytes; at most {LARGEST} are unpacked", self.size);
        }
        let mut program = Vec::new();
        // One byte more than promised shows that there is more.
        Decompressor::new(packed, CHUNK)
            .take(self.size + 1)
            .read_to_end(&mut program)
            .with_context(|| format!("{name} is damaged"))?;
        if program.len() as u64 != self.size {
            bail!("{name} does not hold the {} bytes that the manifest names", self.size);
        }
        if sha256(&program) != self.sha256 {
            bail!("{name} is not the program that the manifest names");
        }
        Ok(program)
    }
}

/// The address of a packed program in the release of a version.
pub(crate) fn address(version: &str, file: &str) -> String {
    format!("{RELEASES}{version}/{file}")
}

/// Takes the packed programs out of a package, whose manifest then says where to download them. Returns them by their
/// names in the release.
pub(crate) fn lighten(files: &mut Files) -> Result<Files> {
    let mut sidecars = Sidecars::of(files)?;
    let mut downloads = Files::default();
    let version = sidecars.version.clone();
    for sidecar in sidecars.platforms.values_mut() {
        let name = format!("{FOLDER}{}", sidecar.file);
        let packed = files.take(&name).with_context(|| format!("{name} is missing"))?;
        let url = address(&version, &sidecar.file);
        sidecar.download = Some(Download { url, sha256: sha256(&packed), size: packed.len() as u64 });
        downloads.put(&sidecar.file, packed);
    }
    sidecars.finish(files)?;
    Ok(downloads)
}

/// The program of a platform in a plugin's folder.
pub(crate) fn take_out(files: &Files, platform: &str) -> Result<Vec<u8>> {
    let sidecars = Sidecars::of(files)?;
    let sidecar = sidecars.platforms.get(platform);
    sidecar.with_context(|| format!("the plugin has no sidecar for {platform}"))?.program(files)
}

/// The hash in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn packed() -> (Files, Vec<u8>) {
        let mut files = Files::default();
        let mut sidecars = Sidecars::new("1.2.3");
        let program = sample::program("linux-x64");
        sidecars.put_in(&mut files, "linux-x64", &program, Effort::Little).unwrap();
        sidecars.finish(&mut files).unwrap();
        (files, program)
    }

    /// B-320: what index.js relies on.
    #[test]
    fn manifest_names_file_hash_and_size_of_each_program() {
        let (files, program) = packed();
        assert_eq!(
            files.json(MANIFEST),
            serde_json::json!({ "version": "1.2.3", "platforms": { "linux-x64": {
                "file": "siyuan-puppy-linux-x64.br", "sha256": sha256(&program), "size": program.len(),
            } } })
        );
        assert_eq!(take_out(&files, "linux-x64").unwrap(), program);
        assert!(take_out(&files, "win32-x64").is_err());
    }

    /// The page relies on this: the file of the release under its address, and the program in it.
    #[test]
    fn light_manifest_names_address_hash_and_size_of_each_download() {
        let (mut files, program) = packed();
        let full = files.clone();
        let downloads = lighten(&mut files).unwrap();
        let file = "siyuan-puppy-linux-x64.br";
        let packed = full.get("sidecar/siyuan-puppy-linux-x64.br").unwrap();
        assert_eq!(files.names().collect::<Vec<_>>(), [MANIFEST]);
        assert_eq!(downloads.iter().collect::<Vec<_>>(), [(file, packed)]);
        let mut expected = full.json(MANIFEST);
        expected["platforms"]["linux-x64"]["download"] = serde_json::json!({
            "url": format!("{}/releases/download/v1.2.3/{file}", env!("CARGO_PKG_REPOSITORY")),
            "sha256": sha256(packed), "size": packed.len(),
        });
        assert_eq!(files.json(MANIFEST), expected);
        let sidecars = Sidecars::of(&files).unwrap();
        assert_eq!(sidecars.platforms["linux-x64"].unpacked(packed).unwrap(), program);
        assert!(lighten(&mut files).is_err(), "there is nothing left to take out");
    }

    #[test]
    fn changed_programs_are_not_taken_out() {
        let says = |change: fn(&mut Sidecar)| {
            let (mut files, _) = packed();
            let mut sidecars = Sidecars::of(&files).unwrap();
            change(sidecars.platforms.get_mut("linux-x64").unwrap());
            sidecars.finish(&mut files).unwrap();
            format!("{:#}", take_out(&files, "linux-x64").unwrap_err())
        };
        assert!(says(|it| it.sha256 = sha256(b"other")).contains("not the program"));
        assert!(says(|it| it.size += 1).contains("does not hold"));
        assert!(says(|it| it.size -= 1).contains("does not hold"));
        assert!(says(|it| it.size = LARGEST + 1).contains("at most"));
        assert!(says(|it| it.file = "other.br".into()).contains("missing"));
        let (mut files, _) = packed();
        files.put("sidecar/siyuan-puppy-linux-x64.br", b"torn".to_vec());
        assert!(take_out(&files, "linux-x64").is_err());
    }

    #[test]
    fn a_program_of_another_platform_is_not_packed() {
        let mut sidecars = Sidecars::new("1.2.3");
        let mut refusal = |platform: &str, program: &[u8]| {
            format!(
                "{:#}",
                sidecars.put_in(&mut Files::default(), platform, program, Effort::Little).unwrap_err()
            )
        };
        assert!(refusal("win32-x64", &sample::program("linux-x64")).contains("is a program for linux-x64"));
        assert!(refusal("linux-x64", b"#!/bin/sh").contains("is no program"));
    }

    #[test]
    fn hashes_are_those_that_everyone_computes() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
