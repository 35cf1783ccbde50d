//! Asks a server on this machine whether it works, as the health check of a container does.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::connections::PLAIN;

/// The longest wait for the connection, and for the answer: `/health` itself waits up to two seconds for SiYuan.
const PATIENCE: Duration = Duration::from_secs(4);
const QUESTION: &[u8] = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
/// Bytes of an answer that are read.
const LONGEST: u64 = 1024;

/// Whether the server that listens at an address answers. The question is not encrypted, so that no certificate needs
/// to be trusted: a server that encrypts says so, which is an answer too.
pub(crate) fn works(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect_timeout(&reached(address), PATIENCE) else { return false };
    let mut answer = Vec::new();
    if stream.set_read_timeout(Some(PATIENCE)).and_then(|()| stream.write_all(QUESTION)).is_ok() {
        // An answer that a broken connection cut off still counts.
        let _ = stream.take(LONGEST).read_to_end(&mut answer);
    }
    answer.starts_with(b"HTTP/1.1 200 ") || answer == PLAIN.as_bytes()
}

/// The address by which this machine reaches a server of its own: one that listens to all has none to connect to.
fn reached(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
