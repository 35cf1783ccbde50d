//! `siyuan-puppy stdio` and `siyuan-puppy http`.

use std::io::Write;

use clap::ArgMatches;

use super::environment;
use crate::http::{PORT, Server};
use crate::kernel::{HttpKernel, Options};
use crate::mcp::Served;
use crate::stop::Stop;
use crate::{mcp, sidecar};

/// Serves one agent over stdin and stdout.
pub(super) async fn stdio(options: Options, matches: &ArgMatches) -> Result<(), String> {
    let stop = Stop::watch(environment::parent(matches.get_one("parent-pid").copied())?)?;
    let sidecar = sidecar(HttpKernel::new(options)?, false);
    sidecar.observer.start();
    drop(sidecar.observer.write_defaults());
    let served = mcp::serve_stdio(sidecar.clone(), stop).await;
    sidecar.observer.finish().await;
    served
}

/// Serves agents over HTTP.
pub(super) async fn http(options: Options, matches: &ArgMatches) -> Result<(), String> {
    let stop = Stop::watch(environment::parent(matches.get_one("parent-pid").copied())?)?;
    let token = environment::bearer();
    let host = matches.get_one::<String>("host").map_or("127.0.0.1", String::as_str);
    let port = matches.get_one("port").copied().unwrap_or(PORT);
    let server = Server::bind(host, port, token.as_ref()).await?;
    let sidecar = sidecar(HttpKernel::new(options)?, false);
    sidecar.observer.start();
    drop(sidecar.observer.write_defaults());
    // Whoever started us reads this line to learn the address; a closed stderr is no reason to end.
    let _ = writeln!(std::io::stderr(), "siyuan-puppy listening on {}", server.url());
    server.serve(served(matches)?, sidecar.clone(), token, stop).await;
    sidecar.observer.finish().await;
    Ok(())
}

#[cfg(not(feature = "conformance"))]
fn served(_matches: &ArgMatches) -> Result<Served, String> {
    Ok(Served::Actions)
}

#[cfg(feature = "conformance")]
fn served(matches: &ArgMatches) -> Result<Served, String> {
    Ok(if matches.get_flag("conformance-fixtures") {
        Served::Fixtures(mcp::Fixtures::new()?)
    } else {
        Served::Actions
    })
}
