//! The sidecar as a process of its own: started over stdio or HTTP, measured, and ended with the benchmark.

use std::process::Stdio;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::Setting;

/// A sidecar that listens.
pub(crate) struct Http {
    child: Child,
    pub(crate) url: String,
}

fn command(setting: &Setting, kernel: &str) -> Command {
    let mut command = Command::new(&setting.program);
    command.env("SIYUAN_API_URL", kernel).env_remove("SIYUAN_TOKEN").env_remove("SIYUAN_MCP_TOKEN");
    if let Some(token) = &setting.token {
        command.env("SIYUAN_TOKEN", token);
    }
    command.kill_on_drop(true);
    command
}

/// Over HTTP on a free port.
pub(crate) async fn http(setting: &Setting, kernel: &str) -> Http {
    let mut command = command(setting, kernel);
    let mut child = command.args(["http", "--port", "0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let url = loop {
        let line = lines.next_line().await.unwrap().expect("the sidecar says where it listens");
        if let Some(url) = line.strip_prefix("siyuan-puppy listening on ") {
            break url.to_owned();
        }
    };
    // Keep reading, or the pipe fills up and the sidecar waits.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Http { child, url }
}

pub(crate) fn stdio(setting: &Setting) -> (Child, ChildStdin, ChildStdout) {
    let mut command = command(setting, &setting.kernel);
    command.arg("stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

impl Http {
    /// Resident memory in kB.
    pub(crate) fn memory(&self) -> u64 {
        let pid = Pid::from_u32(self.child.id().expect("the sidecar runs"));
        let mut system = System::new().expect("processes can be looked at");
        system.refresh_processes_specifics(
            ProcessesToUpdate::Some(&[pid]),
            true,
            ProcessRefreshKind::nothing().with_memory(),
        );
        system.process(pid).expect("the sidecar runs").memory() / 1024
    }
}
