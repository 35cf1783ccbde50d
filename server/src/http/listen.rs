//! Takes the port; one that is taken already is an error that names its holder, never another port in silence (B-130).

use std::io::ErrorKind;
use std::net::IpAddr;

use tokio::net::TcpListener;

/// Listens.
pub(super) async fn listen(host: IpAddr, port: u16) -> Result<TcpListener, String> {
    let failed = match TcpListener::bind((host, port)).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    Err(match failed.kind() {
        ErrorKind::AddrInUse => format!(
            "Port {port} is taken by {}. Stop that one, or choose another port with --port.",
            holder(port).unwrap_or_else(|| "another program".to_owned())
        ),
        ErrorKind::PermissionDenied => {
            format!("This user may not listen at port {port}. Choose one from 1024 up with --port.")
        }
        _ => format!("Cannot listen at {host} port {port}: {failed}."),
    })
}

/// The program that listens there, as far as the operating system tells.
fn holder(port: u16) -> Option<String> {
    let process = listeners::get_process_by_port(port, listeners::Protocol::TCP).ok()?;
    Some(format!("{} (process {})", process.name, process.pid))
}
