//! Encryption: the names, the versions, the refusals, and the unchanged behaviour of everything else.

use std::path::Path;
use std::sync::Arc;

use puppy_server::http::{BearerToken, Settings, Tls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion, version};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::door::{Door, ERAS, MESSAGE, TOKEN, era_headers, exchange, greeting, text};
#[cfg(unix)]
use crate::process::{Running, program};

/// A server with its own certificate in a new folder.
async fn door() -> (Door, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls::Local { folder: folder.path().to_owned(), names: Vec::new() };
    let door = Door::open(Settings { tls, token: BearerToken::new(TOKEN), ..Settings::default() }).await;
    (door, folder)
}

/// A client that trusts only the certificate in a folder.
async fn connect(
    door: &Door,
    folder: &Path,
    name: &'static str,
    versions: &[&'static SupportedProtocolVersion],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("local-certificate.pem")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(door.address).await?;
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from(name).unwrap(), stream).await
}

/// B-139, B-140: every name of this machine works, with both versions; the lists and the token apply here too.
#[tokio::test(flavor = "multi_thread")]
async fn tls_serves_the_names_of_this_machine() {
    let (door, folder) = door().await;
    assert!(door.url.starts_with("https://"), "{}", door.url);
    let bearer = format!("Bearer {TOKEN}");
    for name in ["localhost", "127.0.0.1", "::1"] {
        for versions in [&[&version::TLS12], &[&version::TLS13]] {
            for era in ERAS {
                let host = if name.contains(':') { "[::1]" } else { name };
                for (host, token, status) in
                    [(host, bearer.as_str(), 200), (host, "", 401), ("evil.example", bearer.as_str(), 403)]
                {
                    let mut headers = vec![("Host", host), ("Authorization", token)];
                    headers.extend(MESSAGE);
                    headers.extend(era_headers(era));
                    let bytes = text("POST /mcp HTTP/1.1", &headers, &greeting(era).to_string());
                    let stream = connect(&door, folder.path(), name, versions).await.unwrap();
                    let reply = exchange(stream, &bytes).await;
                    assert_eq!(reply.status, status, "{name} {era:?} {host}: {}", reply.body);
                }
            }
        }
    }
    assert!(connect(&door, folder.path(), "evil.example", &[&version::TLS13]).await.is_err());
}

/// B-140: plain HTTP gets an explanation, older TLS and noise are cut off; the next client is served.
#[tokio::test(flavor = "multi_thread")]
async fn connection_without_tls_is_closed_cleanly() {
    let (door, folder) = door().await;
    let plain = door.send("GET /health HTTP/1.1", &[("Host", "localhost")], "").await;
    assert_eq!(plain.status, 400);
    assert!(plain.body.contains("https://"), "{}", plain.body);
    // A TLS 1.1 handshake, and an invalid record.
    let old =
        [0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2].into_iter().chain([7; 32]).chain([0, 0, 2, 0, 0x35, 1, 0]);
    for bytes in [old.collect::<Vec<u8>>(), vec![0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9]] {
        let reply = exchange(TcpStream::connect(door.address).await.unwrap(), &bytes).await;
        assert_eq!(reply.status, 0, "{reply:?}");
    }
    let stream = connect(&door, folder.path(), "localhost", &[&version::TLS13]).await.unwrap();
    let reply = exchange(stream, &text("GET /health HTTP/1.1", &[("Host", "localhost")], "")).await;
    assert_eq!(reply.status, 200);
}

/// B-140: a person's own files work, and the program prints the end of their validity at startup.
#[cfg(unix)]
#[test]
fn startup_reports_the_certificate_expiry() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut command = program("http://127.0.0.1:9");
    let mut server = Running::start_with(
        command.env("XDG_DATA_HOME", folder.path()).env("HOME", folder.path()),
        &["--tls", "generate"],
    );
    assert!(server.url.starts_with("https://"), "{}", server.url);
    let said = output_to_end(&mut server);
    assert!(said.contains("valid until 20"), "{said}");
    let find = |name: &str| {
        let mut all = vec![folder.path().to_owned()];
        while let Some(here) = all.pop() {
            for entry in std::fs::read_dir(here).unwrap().map(Result::unwrap) {
                if entry.file_name() == name {
                    return entry.path();
                }
                all.extend(entry.path().is_dir().then(|| entry.path()));
            }
        }
        panic!("no {name}");
    };
    let (cert, key) = (find("local-certificate.pem"), find("local-key.pem"));
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let files = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let mut own = Running::start_with(&mut program("http://127.0.0.1:9"), &files);
    assert!(own.url.starts_with("https://"), "{}", own.url);
    assert!(output_to_end(&mut own).contains("valid until 20"));
}

/// The whole output of a server that ended by itself.
#[cfg(unix)]
fn output_to_end(server: &mut Running) -> String {
    let killed = std::process::Command::new("kill").arg(server.child.id().to_string()).status();
    assert!(killed.unwrap().success() && server.ended().success());
    server.printed()
}
