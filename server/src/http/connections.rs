//! Connections: bounded in number, without delay for small answers, encrypted if configured, and closed in time.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::add_extension::AddExtension;

use super::Limits;
use super::patience::WriteTimeout;
use super::tls::Encryption;

/// The maximum size of a request's head in bytes, including the headers.
const HEAD: usize = 32 * 1024;
const HEADERS: usize = 64;
/// The wait after a failed accept, for example while no file handle is free.
const AFTER_FAILURE: Duration = Duration::from_millis(50);
/// The first byte of every TLS handshake.
const TLS_RECORD: u8 = 0x16;
/// The answer to a client that speaks plain HTTP to an encrypted port.
pub(super) const PLAIN: &str = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n\
    This port is encrypted: call it as https://.\n";

/// The machine at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Serves connections until the end, and then lets each finish the answer in progress.
pub(super) async fn serve(
    listener: TcpListener,
    encryption: Option<Encryption>,
    app: Router,
    limits: Limits,
    end: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let open = TaskTracker::new();
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await.ok()?;
            Some((place, accept(&listener).await))
        };
        let (place, accepted) = tokio::select! {
            next = next => match next { Some(next) => next, None => break },
            () = end.cancelled() => break,
        };
        let stream = match accepted {
            Ok(stream) => stream,
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(AFTER_FAILURE).await;
                continue;
            }
        };
        // A connection without a peer address is closed already.
        let Ok(peer) = stream.peer_addr() else { continue };
        let app = AddExtension::new(app.clone(), Peer(peer.ip()));
        let tls = encryption.as_ref().map(Encryption::acceptor);
        let (limits, end) = (limits.clone(), end.clone());
        open.spawn(async move {
            match tls {
                None => speak(stream, app, &limits, end).await,
                Some(tls) => {
                    if let Some(stream) = greet(stream, &tls, limits.body_time).await {
                        speak(stream, app, &limits, end).await;
                    }
                }
            }
            drop(place);
        });
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// Accepts the next connection.
pub(super) async fn accept(listener: &TcpListener) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept().await?;
    // Without this option every streamed answer waits 40 ms for the other side's acknowledgement (B-142).
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("TCP_NODELAY could not be set: {error}");
    }
    Ok(stream)
}

/// Performs the TLS handshake; a client that speaks plain HTTP gets an explanation.
pub(super) async fn greet(
    mut stream: TcpStream,
    tls: &TlsAcceptor,
    time: Duration,
) -> Option<tokio_rustls::server::TlsStream<TcpStream>> {
    let greeting = async {
        let mut first = [0];
        if stream.peek(&mut first).await.ok()? == 0 {
            return None;
        }
        if first != [TLS_RECORD] {
            let _ = stream.write_all(PLAIN.as_bytes()).await;
            let _ = stream.shutdown().await;
            return None;
        }
        match tls.accept(stream).await {
            Ok(stream) => Some(stream),
            Err(error) => {
                tracing::debug!("a TLS handshake failed: {error}");
                None
            }
        }
    };
    tokio::time::timeout(time, greeting).await.ok().flatten()
}

/// Speaks HTTP until the client disconnects or is too slow, or the end has come.
async fn speak<S>(stream: S, app: AddExtension<Router, Peer>, limits: &Limits, end: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_headers(HEADERS)
        .max_header_size(HEAD)
        .serve_connection(
            TokioIo::new(WriteTimeout::new(stream, limits.write_time)),
            TowerToHyperService::new(app),
        );
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = end.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}
