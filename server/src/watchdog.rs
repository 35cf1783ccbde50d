//! Detects the end of the parent process, which its id and its start time identify (B-145).

use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// The interval between checks of the parent; its end must be noticed within 2 seconds.
const EVERY: Duration = Duration::from_millis(300);
/// The tolerance between two readings of one start time, in seconds: some systems report whole seconds.
const SAME_START: u64 = 1;

/// The start time of a process, in seconds since 1970; `None` if there is no such process.
///
/// The only place that asks the operating system about processes.
fn started(pid: u32) -> Option<u64> {
    let pid = Pid::from_u32(pid);
    // A system that cannot be queried must not end this process: every process then counts as running since 0.
    let Ok(mut system) = System::new() else { return Some(0) };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        true,
        ProcessRefreshKind::nothing().without_tasks(),
    );
    let process = system.process(pid)?;
    let ended = matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
    (!ended).then(|| process.start_time())
}

/// Whether a process with this id is running.
pub fn is_running(pid: u32) -> bool {
    started(pid).is_some()
}

/// A parent process to wait for.
#[derive(Debug, Clone, Copy)]
pub struct Parent {
    pid: u32,
    started: u64,
}

impl Parent {
    /// The process that has this id now; `None` if it has ended already.
    pub fn of(pid: u32) -> Option<Parent> {
        started(pid).map(|started| Parent { pid, started })
    }

    /// Whether it still runs; a later process with the same id does not count.
    pub fn lives(&self) -> bool {
        started(self.pid).is_some_and(|now| now.abs_diff(self.started) <= SAME_START)
    }

    /// Waits for the process to end.
    pub async fn ended(self) {
        while self.lives() {
            tokio::time::sleep(EVERY).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-145: the same id with another start time is another process.
    #[test]
    fn reused_process_id_is_another_process() {
        let us = Parent::of(std::process::id()).unwrap();
        assert!(us.lives());
        assert!(!Parent { started: us.started - 100, ..us }.lives());
    }

    #[test]
    fn nonexistent_process_is_not_a_parent() {
        assert!(Parent::of(u32::MAX - 7).is_none());
    }
}
