//! Certificates are made, kept, and renewed beneath open connections; the sockets below the encryption.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::sync::CancellationToken;

use super::super::{Limits, connections};
use super::*;
use crate::trust::{self, Trust};

/// B-140: made once, used again, remade when due or broken; only its owner can read the key.
#[test]
fn local_certificate_is_created_once_and_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = encryption_of(&data, &[]);
    let read = || std::fs::read(&first.files.cert).unwrap();
    let made = read();
    assert!(first.notice().contains("valid until 20"), "{}", first.notice());
    encryption_of(&data, &[]);
    assert_eq!(read(), made);
    assert!(local::is_private(&first.files.key));
    std::fs::write(&first.files.key, "torn").unwrap();
    encryption_of(&data, &[]);
    assert_ne!(read(), made);
    let until = first.now.lock().unwrap().until;
    assert!(!local::is_due(until) && local::is_due(SystemTime::now() + Duration::from_secs(86_400)));
}

#[test]
fn invalid_certificate_files_are_named_without_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (cert, key) = (folder.path().join("a.pem"), folder.path().join("b.pem"));
    std::fs::write(&cert, "no certificate").unwrap();
    let error = Encryption::new(&Tls::Files { cert, key }).unwrap_err();
    assert!(error.contains("a.pem") && !error.contains(&*folder.path().to_string_lossy()), "{error}");
}

/// The end of validity has a short form until 2049 and a long one afterwards; a broken certificate has no end.
#[test]
fn end_of_a_certificate_is_read_in_both_forms() {
    for (year, seconds) in [(2049, 2_498_428_800), (2051, 2_561_500_800)] {
        let mut wanted = rcgen::CertificateParams::new(vec!["puppy.example".to_owned()]).unwrap();
        wanted.not_after = rcgen::date_time_ymd(year, 3, 4);
        let made = wanted.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap();
        let whole = made.der().to_vec();
        let end = |bytes: &[u8]| until(&CertificateDer::from(bytes));
        assert_eq!(end(&whole), Some(UNIX_EPOCH + Duration::from_secs(seconds)));
        assert!((0..whole.len()).all(|length| end(&whole[..length]).is_none()));
        let is_time = |at: usize| {
            let digits = |it: &[u8]| it.iter().all(u8::is_ascii_digit);
            matches!(whole[at], 0x17 | 0x18) && whole.get(at + 2..at + 10).is_some_and(digits)
        };
        let times: Vec<usize> = (0..whole.len()).filter(|at| is_time(*at)).collect();
        assert_eq!(times.len(), 2);
        for at in times {
            let mut endless = whole.clone();
            endless[at + 1] = 0x88;
            endless[at + 2..at + 10].fill(0xff);
            assert_eq!(end(&endless), None, "a time of 2^64 bytes at {at}");
        }
    }
}

fn encryption_of(folder: &Path, names: &[&str]) -> Encryption {
    let names = names.iter().map(|it| (*it).to_owned()).collect();
    Encryption::new(&Tls::Local { folder: folder.to_owned(), names }).unwrap().unwrap()
}

/// The certificate that a server shows to a client that trusts a file.
async fn greeted(
    address: SocketAddr,
    trusted: &Path,
    name: &'static str,
) -> io::Result<TlsStream<TcpStream>> {
    let greeting = Trust::only(trusted).unwrap().greeting(true).unwrap();
    let stream = TcpStream::connect(address).await?;
    TlsConnector::from(Arc::new(greeting)).connect(ServerName::try_from(name).unwrap(), stream).await
}

fn shown(stream: &TlsStream<TcpStream>) -> CertificateDer<'static> {
    stream.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned()
}

/// Sends one request on a connection that stays open.
async fn asked(stream: &mut TlsStream<TcpStream>) -> String {
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

/// B-140: a new name leads to a new certificate with the same key, so the old certificate file still verifies.
#[tokio::test]
async fn certificate_covers_the_configured_names() {
    let folder = tempfile::tempdir().unwrap();
    let first = encryption_of(folder.path(), &[]);
    let old = folder.path().join("old.pem");
    std::fs::copy(&first.files.cert, &old).unwrap();
    let more = encryption_of(folder.path(), &["notes.example", "192.0.2.7", "no name"]);
    let made = std::fs::read(&more.files.cert).unwrap();
    assert_ne!(made, std::fs::read(&old).unwrap());
    encryption_of(folder.path(), &["notes.example"]);
    assert_eq!(std::fs::read(&more.files.cert).unwrap(), made, "what it holds is enough");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let end = CancellationToken::new();
    tokio::spawn(connections::serve(listener, Some(more), Router::new(), Limits::default(), end));
    for name in ["notes.example", "192.0.2.7", "localhost", "::1"] {
        greeted(address, &old, name).await.unwrap();
    }
    let error = greeted(address, &old, "other.example").await.unwrap_err();
    assert!(trust::refusal(&error).unwrap().contains("does not contain the name"), "{error}");
}

/// B-140: while the server runs, new connections get the new certificate and old ones stay open; an invalid certificate
/// changes nothing.
#[tokio::test]
async fn certificate_renewal_keeps_open_connections() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let (one, two) = (encryption_of(&one, &[]), encryption_of(&two, &[]));
    let (cert, key) = (folder.path().join("a.pem"), folder.path().join("b.pem"));
    let install = |from: &Encryption| {
        std::fs::copy(&from.files.cert, &cert).unwrap();
        std::fs::copy(&from.files.key, &key).unwrap();
    };
    install(&one);
    let files = Tls::Files { cert: cert.clone(), key: key.clone() };
    let encryption = Encryption::new(&files).unwrap().unwrap();
    let look_now = || encryption.now.lock().unwrap().next_look = Instant::now();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (app, end) = (Router::new().route("/", get(async || "still here")), CancellationToken::new());
    let served = Some(encryption.clone());
    tokio::spawn(connections::serve(listener, served, app, Limits::default(), end));
    let mut open = greeted(address, &one.files.cert, "localhost").await.unwrap();
    assert!(asked(&mut open).await.contains("still here"));
    install(&two);
    // The server does not read the files for every connection.
    assert_eq!(shown(&greeted(address, &one.files.cert, "localhost").await.unwrap()), shown(&open));
    look_now();
    let renewed = greeted(address, &two.files.cert, "localhost").await.unwrap();
    assert_ne!(shown(&renewed), shown(&open));
    assert!(asked(&mut open).await.contains("still here"));
    std::fs::write(&key, "torn").unwrap();
    look_now();
    assert_eq!(shown(&greeted(address, &two.files.cert, "localhost").await.unwrap()), shown(&renewed));
}

/// B-142: small answers leave at once, encrypted or not.
#[tokio::test]
async fn sockets_send_small_packets_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let encryption = encryption_of(folder.path(), &[]);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let _plain = TcpStream::connect(address).await.unwrap();
    assert!(connections::accept(&listener).await.unwrap().nodelay().unwrap());
    let trusted = encryption.files.cert.clone();
    let client = tokio::spawn(async move { greeted(address, &trusted, "localhost").await.unwrap() });
    let stream = connections::accept(&listener).await.unwrap();
    let stream = connections::greet(stream, &encryption.acceptor(), Duration::from_secs(20)).await.unwrap();
    assert!(stream.get_ref().0.nodelay().unwrap());
    client.await.unwrap();
}

/// F20: the key is written to a new file that only its owner can read, whatever is in the folder.
#[cfg(unix)]
#[test]
fn symlink_in_the_certificate_folder_is_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let (victim, open) = (folder.path().join("victim"), folder.path().join("open"));
    std::fs::write(&victim, "mine").unwrap();
    std::fs::write(&open, "").unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (cert, key) = local::paths(folder.path());
    let guessed = |path: &Path| path.with_extension(format!("{}.new", std::process::id()));
    symlink(&victim, guessed(&cert)).unwrap();
    std::fs::hard_link(&open, guessed(&key)).unwrap();
    encryption_of(folder.path(), &[]);
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine");
    assert!(local::is_private(&key) && std::fs::read_to_string(open).unwrap().is_empty());
    assert!(!std::fs::symlink_metadata(&key).unwrap().is_symlink());
    let left = std::fs::read_dir(folder.path()).unwrap().flatten();
    assert!(left.map(|it| it.file_name()).all(|name| !name.to_string_lossy().starts_with(".unfinished-")));
}
