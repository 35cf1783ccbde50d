//! Binds the port; a port in use is an error that names its holder, never a silent switch to another port (B-130).

use std::io::ErrorKind;
use std::net::IpAddr;

use tokio::net::TcpListener;

use crate::ports;
use crate::words::StartWords;

/// Binds the port and listens on it.
pub(super) async fn listen(host: IpAddr, port: u16) -> Result<TcpListener, String> {
    let failed = match TcpListener::bind((host, port)).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    let words = StartWords::here();
    Err(match failed.kind() {
        ErrorKind::AddrInUse => words.port_taken(port, holder(port)),
        ErrorKind::PermissionDenied => words.port_refused(port),
        _ => words.port_failed(host, port, failed),
    })
}

/// The program that listens on the port, as far as the operating system names it.
fn holder(port: u16) -> String {
    let words = StartWords::here();
    let named = |it: ports::Holder| words.holder(it.name, it.pid);
    ports::holder(port).map_or_else(|| words.other_program().to_owned(), named)
}
