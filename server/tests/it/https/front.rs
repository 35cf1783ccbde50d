//! An encrypting proxy for a plain server, and certificates of every kind for it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use tempfile::TempDir;
use time::{Duration, OffsetDateTime};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// A certificate authority, with the file of its certificate.
pub(super) struct Issuer {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Issuer {
    pub(super) fn new(name: &str) -> Issuer {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Issuer { issuer, folder }
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A certificate for a name, valid between two days relative to today.
    fn vouched(&self, name: &str, days: (i64, i64)) -> ServerConfig {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        let now = OffsetDateTime::now_utc();
        (params.not_before, params.not_after) = (now + Duration::days(days.0), now + Duration::days(days.1));
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap()
    }
}

/// An encrypting proxy for the server at an address; it ends on drop.
pub(super) struct Front {
    pub(super) url: String,
    /// The number of clients that completed the handshake.
    believed: Arc<AtomicU64>,
    serving: JoinHandle<()>,
}

impl Front {
    pub(super) async fn open(behind: &str, issuer: &Issuer, name: &str, days: (i64, i64)) -> Front {
        let behind: SocketAddr = behind.trim_start_matches("http://").parse().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(issuer.vouched(name, days)));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("https://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let believed = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&believed);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, count) = (acceptor.clone(), Arc::clone(&count));
                tokio::spawn(async move {
                    let Ok(mut outer) = acceptor.accept(stream).await else { return };
                    count.fetch_add(1, Ordering::Relaxed);
                    let mut inner = TcpStream::connect(behind).await.unwrap();
                    let _ = copy_bidirectional(&mut outer, &mut inner).await;
                });
            }
        });
        Front { url, believed, serving }
    }

    pub(super) fn believed(&self) -> u64 {
        self.believed.load(Ordering::Relaxed)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
