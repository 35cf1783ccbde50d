//! The recipe behind `cargo demo`, `cargo verify` and `cargo recipe`: it builds, shows and checks the whole plugin.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "talking to a person in a terminal is the job")]

#[macro_use]
mod output;

mod bench;
#[cfg(test)]
mod beside;
#[cfg(test)]
mod bilingual;
mod budget;
mod builds;
mod changed;
#[cfg(test)]
mod circles;
#[cfg(test)]
mod comments;
mod core_rules;
mod cross;
mod demo;
#[cfg(test)]
mod doc_links;
mod fuzz;
mod habits;
mod house;
#[cfg(test)]
mod messages;
mod outcome;
mod package;
mod papers;
#[cfg(test)]
mod phrases;
mod platform;
mod prerequisites;
mod process;
mod progress;
mod release;
mod scripts;
mod shifted;
mod sidecar;
mod steps;
mod surroundings;
mod test_programs;
#[cfg(test)]
mod tidy;
mod times;
mod toolchain;
mod trial;
#[cfg(test)]
mod type_names;
mod verify;
mod wasm;
#[cfg(test)]
mod workflow;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
Builds, shows and checks siyuan-mcp-puppy.

  cargo demo [--once] [--fast] [--no-open]   run the whole system once and watch it (same as: cargo recipe demo)
  cargo verify [--stop] [step ...]           run every check, or only the named ones (same as: cargo recipe verify)
  cargo verify --quick                       formatting, spelling, types, lints, core, and tests of the packages that changed
  cargo verify --live                        every action on the SiYuan at SIYUAN_API_URL, in a notebook of its own
  cargo verify --list                        the steps and what each one does
  cargo recipe bench                         compare calls with the kernel requests that they make: time, number, memory
  cargo recipe shifted [clock ...] [step ...]  run steps under other clocks, time zones and languages
  cargo recipe shifted --list                the clocks, and the steps that run under them
  cargo recipe wasm                          build the page's modules and assemble build/plugin/
  cargo recipe zip [--quick]                 make build/package.zip, which has no sidecar, with build/downloads/, and
                                             build/package-full.zip, which has all; or build/quick/package.zip with
                                             this machine's sidecar only
  cargo recipe check [file] [--full] [--downloads FOLDER] [--listed VERSION]
                                             check both packages, or one, by the rules of the marketplace and of SiYuan
  cargo recipe release [--tag TAG]           the packages and what else belongs to a release, in build/release/, and in
                                             build/image/ what an image of containers is built from; with a tag, only if
                                             it names this version and no text says that there is no release
  cargo recipe image                         build/image/ alone, for this machine's processor
  cargo recipe try [--need PLATFORM,...]     start the programs of a release here, those of other platforms under an
                                             emulator, which those that are needed must have
  cargo recipe --help                        this page

With SIYUAN_API_URL and SIYUAN_TOKEN set, `cargo demo` and `cargo recipe bench` work on that SiYuan
instead of the demo kernel; the bench leaves a notebook named Bench there.";

fn main() -> ExitCode {
    let result = run();
    if output::is_closed() {
        return ExitCode::from(output::LEFT);
    }
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested command; `false` when its checks did not pass.
fn run() -> Result<bool> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        None => ("--help", &[][..]),
        Some((command, rest)) => (command.as_str(), rest),
    };
    if matches!(command, "--help" | "-h" | "help") || rest.iter().any(|a| a == "--help" || a == "-h") {
        println!("{HELP}");
        return Ok(true);
    }
    process::watch_for_interrupt()?;
    match command {
        "demo" => demo::run(&house::House::find()?, &demo::Options::parse(rest)?).map(|()| true),
        "verify" => verify::run(rest),
        "bench" if rest.is_empty() => bench::run(&house::House::find()?).map(|()| true),
        "bench" => bail!("`cargo recipe bench` takes no arguments"),
        "shifted" => shifted::run(rest),
        "wasm" if rest.is_empty() => wasm::build(&house::House::find()?).map(|_| true),
        "wasm" => bail!("`cargo recipe wasm` takes no arguments"),
        "zip" => package::zip(&house::House::find()?, rest).map(|()| true),
        "release" => release::make(&house::House::find()?, release::parse(rest)?).map(|()| true),
        "image" if rest.is_empty() => release::image::make(&house::House::find()?).map(|()| true),
        "image" => bail!("`cargo recipe image` takes no arguments"),
        "try" => trial::run(&house::House::find()?, &trial::parse(rest)?).map(|()| true),
        "check" => package::check(&house::House::find()?, rest).map(|()| true),
        other => bail!("there is no command `{other}`; `cargo recipe --help` lists them"),
    }
}
