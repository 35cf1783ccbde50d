//! Runs what the command line asks for and gives its exit code (B-093).

use std::io::Write;
use std::process::ExitCode;

use clap::ArgMatches;
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::{build, environment, serve};

/// The call failed.
pub(super) const FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const WRONG_USE: u8 = 2;

/// The program.
pub fn main() -> ExitCode {
    let matches = match build::command().try_get_matches() {
        Ok(matches) => matches,
        Err(message) => {
            let _ = message.print();
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(WRONG_USE));
        }
    };
    log_to_stderr(matches.get_flag("debug"));
    match run(&matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, message)) => {
            let _ = writeln!(std::io::stderr(), "siyuan-puppy: {message}");
            ExitCode::from(code)
        }
    }
}

fn run(matches: &ArgMatches) -> Result<(), (u8, String)> {
    let wrong = |message: String| (WRONG_USE, message);
    environment::check().map_err(wrong)?;
    let token_file: Option<&std::path::PathBuf> = matches.get_one("token-file");
    let url: Option<&String> = matches.get_one("url");
    let options = environment::kernel(url.map(String::as_str), token_file.map(AsRef::as_ref)).map_err(wrong)?;
    let failed = |message: String| (FAILED, message);
    match matches.subcommand() {
        Some(("stdio", matches)) => {
            let runtime = runtime(Builder::new_current_thread())?;
            let served = runtime.block_on(serve::stdio(options, matches));
            // A thread may still wait for stdin; nobody waits for it.
            runtime.shutdown_background();
            served.map_err(failed)
        }
        Some(("http", matches)) => {
            let runtime = runtime(Builder::new_multi_thread())?;
            runtime.block_on(serve::http(options, matches)).map_err(failed)
        }
        _ => Ok(()),
    }
}

pub(super) fn runtime(mut builder: Builder) -> Result<Runtime, (u8, String)> {
    builder.enable_all().build().map_err(|error| (FAILED, format!("cannot start: {error}")))
}

/// Logs go to stderr: stdout belongs to JSON-RPC or to the result (B-146).
fn log_to_stderr(debug: bool) {
    let ours = if debug { LevelFilter::DEBUG } else { LevelFilter::WARN };
    // Of libraries only warnings: what they log beyond that could hold note text.
    let levels = Targets::new().with_default(LevelFilter::ERROR).with_target("puppy_server", ours);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false).without_time();
    let _ = tracing_subscriber::registry().with(lines.with_ansi(false)).with(levels).try_init();
}
