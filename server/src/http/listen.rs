//! Binds the port; a port in use is an error that names its holder, never a silent switch to another port (B-130).

use std::io::ErrorKind;
use std::net::IpAddr;

use tokio::net::TcpListener;

use crate::ports;

/// Binds the port and listens on it.
pub(super) async fn listen(host: IpAddr, port: u16) -> Result<TcpListener, String> {
    let failed = match TcpListener::bind((host, port)).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    Err(match failed.kind() {
        ErrorKind::AddrInUse => format!(
            "Port {port} is taken by {}. Stop that program, or choose another port with --port.",
            holder(port)
        ),
        ErrorKind::PermissionDenied => {
            format!("This user may not listen on port {port}. Choose a port from 1024 up with --port.")
        }
        _ => format!("Cannot listen on {host}, port {port}: {failed}."),
    })
}

/// The program that listens on the port, as far as the operating system names it.
fn holder(port: u16) -> String {
    let named = |it: ports::Holder| format!("{} (process {})", it.name, it.pid);
    ports::holder(port).map_or_else(|| "another program".to_owned(), named)
}
