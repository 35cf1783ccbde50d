//! Says which process listens at a port of this machine; the only place that asks the operating system about ports.

use listeners::{IS_OS_SUPPORTED, Protocol, get_process_by_port};

/// A process that listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) pid: u32,
    /// Its name, as it chose it.
    pub(crate) name: String,
}

/// The process that listens at a port, if the operating system names it.
pub(crate) fn holder(port: u16) -> Option<Holder> {
    let process = get_process_by_port(port, Protocol::TCP).ok()?;
    Some(Holder { pid: process.pid, name: process.name })
}

/// Whether a process listens at a port. Where the operating system cannot be asked, its own word counts.
pub(crate) fn is_held_by(port: u16, pid: u32) -> bool {
    !IS_OS_SUPPORTED || holder(port).is_some_and(|it| it.pid == pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_holds_its_own_port_only() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(is_held_by(port, std::process::id()));
        assert_eq!(is_held_by(port, u32::MAX - 7), !IS_OS_SUPPORTED);
    }
}
