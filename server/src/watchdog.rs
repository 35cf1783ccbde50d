//! Ends what outlives its parent: a process is known by its id and by when it started (B-145).

use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// How often the parent is looked at; it must be missed within 2 seconds.
const EVERY: Duration = Duration::from_millis(300);
/// How far two readings of one start may lie apart, in seconds: some systems give it in whole ones.
const SAME_START: u64 = 1;

/// When a process started, in seconds since 1970; `None` when there is no such process.
///
/// The only place that asks the operating system about processes.
fn started(pid: u32) -> Option<u64> {
    let pid = Pid::from_u32(pid);
    // A system that cannot be asked must not end us: there every process counts as running since 0.
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

/// Whether a process of this id runs.
pub fn is_running(pid: u32) -> bool {
    started(pid).is_some()
}

/// A process that is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Parent {
    pid: u32,
    started: u64,
}

impl Parent {
    /// The process with this id as it runs now; `None` when it has ended already.
    pub fn of(pid: u32) -> Option<Parent> {
        started(pid).map(|started| Parent { pid, started })
    }

    /// Whether it still runs; another process with its id does not count.
    pub fn lives(&self) -> bool {
        started(self.pid).is_some_and(|now| now.abs_diff(self.started) <= SAME_START)
    }

    /// Waits until it has ended.
    pub async fn ended(self) {
        while self.lives() {
            tokio::time::sleep(EVERY).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-145: the id of this process with another start is another process.
    #[test]
    fn a_reused_id_does_not_fool_it() {
        let us = Parent::of(std::process::id()).unwrap();
        assert!(us.lives());
        assert!(!Parent { started: us.started - 100, ..us }.lives());
    }

    #[test]
    fn what_never_ran_is_no_parent() {
        assert!(Parent::of(u32::MAX - 7).is_none());
    }
}
