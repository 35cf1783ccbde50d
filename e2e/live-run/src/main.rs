//! The program behind `cargo verify --live`: `live-run SIDECAR [ACTION ...]`, with SIYUAN_API_URL and SIYUAN_TOKEN.
//! With names of actions it calls only those and shows their answers.

use std::io::Write as _;
use std::process::ExitCode;

use live_run::{RunOptions, run};
use tokio::sync::watch;

#[tokio::main]
async fn main() -> ExitCode {
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        asked_to_end().await;
        let _ = stop.send(true);
        // The sender lives on, because a closed channel would look like a request to stop.
        std::future::pending::<()>().await;
    });
    let result = match setting() {
        Ok(setting) => run(setting, stopped).await,
        Err(why) => Err(why),
    };
    match result {
        Ok(table) => {
            // A closed stdout changes nothing: all that was made is removed already.
            let _ = writeln!(std::io::stdout(), "{table}");
            if table.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn setting() -> Result<RunOptions, String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
    Ok(RunOptions {
        sidecar: std::env::args_os().nth(1).ok_or("Name the sidecar to start.")?.into(),
        kernel: variable("SIYUAN_API_URL").ok_or("Set SIYUAN_API_URL to the address of a SiYuan.")?,
        token: variable("SIYUAN_TOKEN"),
        only: std::env::args().skip(2).collect(),
    })
}

/// Ends on Ctrl-C or a polite kill.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = term.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
