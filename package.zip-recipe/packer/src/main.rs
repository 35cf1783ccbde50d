//! Packs the plugin and its sidecars into `package.zip`, checks a package, and takes one apart: `packer --help`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "talking to the recipe and to people is the job"
)]

mod archive;
mod check;
mod plugin;
mod program;
#[cfg(test)]
mod sample;
mod sidecars;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
packer zip PLUGIN PACKAGE --moment SECONDS [--sidecar PLATFORM=PROGRAM ...] [--also NAME=FILE ...]
packer check PACKAGE [--platform PLATFORM ...] [--listed VERSION]             checks a package, prints what is wrong
packer unpack PACKAGE FOLDER                                                  unpacks it as SiYuan does
packer sidecar PLUGIN PLATFORM PROGRAM                                        takes a sidecar out of a plugin's folder";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of all commands.
#[derive(Default)]
struct Arguments {
    words: Vec<PathBuf>,
    moment: Option<i64>,
    sidecars: Vec<(String, PathBuf)>,
    also: Vec<(String, PathBuf)>,
    platforms: Vec<String>,
    listed: Option<semver::Version>,
}

impl Arguments {
    fn parse() -> Result<Option<Self>> {
        let mut parser = lexopt::Parser::from_env();
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("help") => return Ok(None),
                Long("moment") => arguments.moment = Some(parser.value()?.parse()?),
                Long("sidecar") => arguments.sidecars.push(pair(&parser.value()?.string()?)?),
                Long("also") => arguments.also.push(pair(&parser.value()?.string()?)?),
                Long("platform") => arguments.platforms.push(parser.value()?.string()?),
                Long("listed") => {
                    let version = parser.value()?.parse();
                    arguments.listed = Some(version.context("`--listed` takes a version such as 1.2.3")?);
                }
                Value(word) => arguments.words.push(word.into()),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Some(arguments))
    }
}

/// A name and a file.
fn pair(text: &str) -> Result<(String, PathBuf)> {
    let (name, file) = text.split_once('=').context("`--sidecar` and `--also` take NAME=FILE")?;
    Ok((name.to_owned(), file.into()))
}

/// Runs the command; `false` when the check found something.
fn run() -> Result<bool> {
    let Some(arguments) = Arguments::parse()? else {
        println!("{HELP}");
        return Ok(true);
    };
    let words: Vec<&Path> = arguments.words.iter().map(PathBuf::as_path).collect();
    match words.as_slice() {
        [command, plugin, package] if is(command, "zip") => {
            let moment = arguments.moment.context("`packer zip` takes the time of the files: --moment")?;
            zip(plugin, package, moment, &arguments)?;
        }
        [command, package] if is(command, "check") => {
            let wanted =
                check::Wanted { platforms: arguments.platforms.clone(), listed: arguments.listed.clone() };
            return check(package, &wanted);
        }
        [command, package, folder] if is(command, "unpack") => {
            archive::read(&read(package)?)?.save(folder)?;
        }
        [command, plugin, platform, program] if is(command, "sidecar") => {
            let files = plugin::Files::load(plugin)?;
            let bytes = sidecars::take_out(&files, &platform.to_string_lossy())?;
            std::fs::write(program, bytes).context("the sidecar cannot be written")?;
        }
        _ => bail!("usage:\n{HELP}"),
    }
    Ok(true)
}

fn is(word: &Path, name: &str) -> bool {
    word.as_os_str() == name
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn zip(plugin: &Path, package: &Path, moment: i64, more: &Arguments) -> Result<()> {
    let mut files = plugin::Files::load(plugin)?;
    let mut sidecars = sidecars::Sidecars::new(env!("CARGO_PKG_VERSION"));
    for (name, file) in &more.also {
        files.put(name, read(file)?);
    }
    for (platform, program) in &more.sidecars {
        let bytes = read(program)?;
        sidecars.put_in(&mut files, platform, &bytes)?;
    }
    sidecars.finish(&mut files)?;
    let bytes = archive::write(&files, moment)?;
    std::fs::write(package, &bytes).with_context(|| format!("{} cannot be written", package.display()))?;
    println!("{} bytes, sha256 {}", bytes.len(), sidecars::sha256(&bytes));
    Ok(())
}

fn check(package: &Path, wanted: &check::Wanted) -> Result<bool> {
    let bytes = read(package)?;
    let package = archive::read(&bytes)?;
    let found = check::check(&package, wanted);
    for finding in &found {
        println!("{finding}");
    }
    match found.len() {
        0 => println!(
            "{} files, {} bytes: as the marketplace and SiYuan want it",
            package.files.len(),
            bytes.len()
        ),
        count => println!("{count} findings"),
    }
    Ok(found.is_empty())
}
