//! The demo kernel's command: reads its options, prints the address, serves until it is stopped.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use demo_kernel::{Content, Options, Running, Siyuan, Switches};

const USAGE: &str = "usage: demo-kernel --port N --workspace DIR (--empty | --fixture DIR) [--token T] [--stage DIR]
  --port N         port on 127.0.0.1; 0 takes any free one
  --workspace DIR  where files of the workspace lie; made when missing
  --empty          start without notebooks
  --fixture DIR    start with the notebooks of this folder
  --token T        ask for this API token
  --siyuan V       be SiYuan 3.7 or 3.8; without it 3.7
  --stage DIR      serve this folder at /stage/build/desktop/
  --index-lag MS   SQL and full-text search see a write only so much later
  --waits          take the time that the real kernel waits in its writes
  --bulk D,B       add a notebook of D documents with B blocks in all
What an earlier start left in the workspace's database is dropped; files below data/plugins and data/storage stay.";

#[tokio::main]
async fn main() -> ExitCode {
    let (options, more) = match options() {
        Ok(Some(given)) => given,
        Ok(None) => {
            say(USAGE);
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            complain(&format!("demo-kernel: {why}\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let running = match demo_kernel::start(options).await {
        Ok(running) => running,
        Err(why) => {
            complain(&format!("demo-kernel: {why}"));
            return ExitCode::FAILURE;
        }
    };
    if let Err(why) = prepare(&running, &more) {
        complain(&format!("demo-kernel: {why}"));
        return ExitCode::FAILURE;
    }
    say(&format!("demo-kernel listening on {}", running.url()));
    stop_signal().await;
    running.shutdown().await;
    ExitCode::SUCCESS
}

/// The changes made to the kernel once it runs.
#[derive(Default)]
struct StartSettings {
    switches: Switches,
    bulk: Option<(usize, usize)>,
}

fn prepare(running: &Running, more: &StartSettings) -> demo_kernel::Result<()> {
    if let Some((documents, blocks)) = more.bulk {
        running.bulk(documents, blocks)?;
    }
    running.set_switches(more.switches)
}

fn options() -> Result<Option<(Options, StartSettings)>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut more = StartSettings::default();
    let (mut port, mut workspace, mut content, mut token, mut stage) = (None, None, None, None, None);
    let mut siyuan = Siyuan::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("port") => port = Some(parser.value()?.parse()?),
            Long("workspace") => workspace = Some(PathBuf::from(parser.value()?)),
            Long("empty") => content = Some(Content::Empty),
            Long("fixture") => content = Some(Content::Fixture(parser.value()?.into())),
            Long("token") => token = Some(parser.value()?.string()?),
            Long("siyuan") => siyuan = parser.value()?.parse()?,
            Long("stage") => stage = Some(PathBuf::from(parser.value()?)),
            Long("index-lag") => more.switches.index_lag = parser.value()?.parse()?,
            Long("waits") => more.switches.waits = true,
            Long("bulk") => {
                let given = parser.value()?.string()?;
                let (documents, blocks) = given.split_once(',').ok_or("--bulk wants DOCUMENTS,BLOCKS")?;
                let number = |text: &str| text.trim().parse().map_err(|_| "--bulk wants two numbers");
                more.bulk = Some((number(documents)?, number(blocks)?));
            }
            Long("help") | Short('h') => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    let options = Options {
        siyuan,
        port: port.ok_or("--port is missing")?,
        workspace: workspace.ok_or("--workspace is missing")?,
        content: content.ok_or("--empty or --fixture DIR is missing")?,
        token,
        stage,
    };
    Ok(Some((options, more)))
}

/// Ctrl-C, or the signal by which a parent ends its children.
async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// A reader that has gone is no reason to end.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
