//! Packs the plugin and its sidecars into `package.zip`, checks a package, and takes one apart: `packer --help`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "talking to the recipe and to people is the job"
)]

mod archive;
mod check;
mod links;
mod plugin;
mod program;
mod roots;
#[cfg(test)]
mod sample;
mod sidecars;
mod tarball;
mod wheel;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
packer zip PLUGIN PACKAGE --moment SECONDS [--sidecar PLATFORM=PROGRAM ...] [--also NAME=FILE ...] [--fast]
packer light FULL PACKAGE --moment SECONDS --downloads FOLDER                 the package without its programs, and those
packer check PACKAGE [--platform PLATFORM ...] [--listed VERSION] [--translated] [--light [--downloads FOLDER]]
                                                                              checks a package, prints what is wrong
packer bundle ARCHIVE --moment SECONDS [--program NAME=FILE ...] [--also NAME=FILE ...]   packs programs
packer tarball ARCHIVE ..., packer wheel ARCHIVE ...                          the same, as npm and pip take it
packer sums FOLDER                                                            checksums, as sha256sum prints them
packer roots FILE                                                             certificates for a machine without any
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
    programs: Vec<(String, PathBuf)>,
    fast: bool,
    platforms: Vec<String>,
    listed: Option<semver::Version>,
    translated: bool,
    light: bool,
    downloads: Option<PathBuf>,
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
                Long("program") => arguments.programs.push(pair(&parser.value()?.string()?)?),
                Long("fast") => arguments.fast = true,
                Long("translated") => arguments.translated = true,
                Long("light") => arguments.light = true,
                Long("downloads") => arguments.downloads = Some(parser.value()?.into()),
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
    let (name, file) =
        text.split_once('=').context("`--sidecar`, `--program` and `--also` take NAME=FILE")?;
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
        [command, full, package] if is(command, "light") => {
            let moment = arguments.moment.context("`packer light` takes the time of the files: --moment")?;
            let folder = arguments.downloads.as_deref().context("`packer light` takes --downloads FOLDER")?;
            let mut files = archive::read(&read(full)?)?.files;
            sidecars::lighten(&mut files)?.save(folder)?;
            save(package, &archive::write(&files, moment, &[])?)?;
        }
        [command, archive] if format(command).is_some() => {
            let moment = arguments.moment.context("an archive takes the time of its files: --moment")?;
            if let Some(write) = format(command) {
                save(archive, &packed(write, moment, &arguments)?)?;
            }
        }
        [command, folder] if is(command, "sums") => {
            for (name, bytes) in plugin::Files::load(folder)?.iter() {
                println!("{}  {name}", sidecars::sha256(bytes));
            }
        }
        [command, file] if is(command, "roots") => {
            std::fs::write(file, roots::text()).context("the certificates cannot be written")?;
        }
        [command, package] if is(command, "check") => {
            let downloads = arguments.downloads.as_deref().map(plugin::Files::load).transpose()?;
            let Arguments { platforms, listed, translated, light, .. } = &arguments;
            let (platforms, listed) = (platforms.clone(), listed.clone());
            let (translated, light) = (*translated, *light);
            let wanted = check::Expectations { platforms, listed, translated, light, downloads };
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
    links::lead_out(&mut files);
    let effort = if more.fast { sidecars::Effort::Little } else { sidecars::Effort::Full };
    for (name, program) in &more.sidecars {
        let bytes = read(program)?;
        sidecars.put_in(&mut files, name, &bytes, effort)?;
    }
    sidecars.finish(&mut files)?;
    save(package, &archive::write(&files, moment, &[])?)
}

/// A function that packs files at a moment, some of which are programs.
type Write = fn(plugin::Files, i64, &[&str]) -> Result<Vec<u8>>;

/// The archives of programs, by the commands that make them.
const FORMATS: [(&str, Write); 3] = [
    ("bundle", |files, moment, programs| archive::write(&files, moment, programs)),
    ("tarball", |files, moment, programs| tarball::write(&files, moment, programs)),
    ("wheel", wheel::write),
];

fn format(command: &Path) -> Option<Write> {
    FORMATS.iter().find(|(name, _)| is(command, name)).map(|(_, write)| *write)
}

/// An archive of programs and other files.
fn packed(write: Write, moment: i64, more: &Arguments) -> Result<Vec<u8>> {
    let mut files = plugin::Files::default();
    for (name, file) in more.also.iter().chain(&more.programs) {
        files.put(name, read(file)?);
    }
    let programs: Vec<&str> = more.programs.iter().map(|(name, _)| name.as_str()).collect();
    write(files, moment, &programs)
}

fn save(archive: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(archive, bytes).with_context(|| format!("{} cannot be written", archive.display()))?;
    println!("{} bytes, sha256 {}", bytes.len(), sidecars::sha256(bytes));
    Ok(())
}

fn check(package: &Path, wanted: &check::Expectations) -> Result<bool> {
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
