//! Encryption: a person's PEM files, or a certificate for this machine alone that is made and renewed here (B-140).

mod local;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::Tls;

/// How often a running server looks whether its certificate was renewed, or is due.
const LOOK: Duration = Duration::from_secs(60 * 60);

/// A certificate in use.
#[derive(Clone)]
pub(super) struct Encryption {
    files: Files,
    now: Arc<Mutex<Current>>,
}

struct Current {
    acceptor: TlsAcceptor,
    until: SystemTime,
    looked: Instant,
}

#[derive(Debug, Clone)]
struct Files {
    cert: PathBuf,
    key: PathBuf,
    is_ours: bool,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encryption").finish_non_exhaustive()
    }
}

impl Encryption {
    /// Reads the certificate, and makes or renews the local one.
    ///
    /// # Errors
    /// With a sentence for the user.
    pub(super) fn new(tls: &Tls) -> Result<Option<Encryption>, String> {
        let files = match tls {
            Tls::Off => return Ok(None),
            Tls::Files { cert, key } => Files { cert: cert.clone(), key: key.clone(), is_ours: false },
            Tls::Local(folder) => {
                let (cert, key) = local::paths(folder);
                Files { cert, key, is_ours: true }
            }
        };
        let current = files.current()?;
        Ok(Some(Encryption { files, now: Arc::new(Mutex::new(current)) }))
    }

    /// What greets the next connection. A certificate that was renewed meanwhile is taken; the old one is kept when
    /// the new one is no good.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.looked.elapsed() > LOOK {
            now.looked = Instant::now();
            match self.files.current() {
                Ok(current) => *now = current,
                Err(error) => tracing::warn!("the certificate in use stays: {error}"),
            }
        }
        now.acceptor.clone()
    }

    /// A sentence for whoever starts the server: where the certificate is, and its last day.
    pub(super) fn notice(&self) -> String {
        let until = self.now.lock().unwrap_or_else(PoisonError::into_inner).until;
        let day = chrono::DateTime::<chrono::Utc>::from(until).format("%Y-%m-%d");
        let trust = if self.files.is_ours { "; let clients trust it (curl --cacert)" } else { "" };
        format!("certificate {} is valid until {day}{trust}", self.files.cert.display())
    }
}

impl Files {
    fn current(&self) -> Result<Current, String> {
        if self.is_ours {
            let usable = self.read().is_ok_and(|current| !local::is_due(current.until));
            if !usable {
                local::make(&self.cert, &self.key)?;
                tracing::info!("a certificate for this machine was made");
            }
        }
        let current = self.read()?;
        let left = current.until.duration_since(SystemTime::now()).unwrap_or_default();
        match left.as_secs() / (24 * 60 * 60) {
            0 if left.is_zero() => tracing::warn!("the certificate is no longer valid"),
            days @ 0..=14 => tracing::warn!("the certificate is valid for {days} more days only"),
            days => tracing::info!("the certificate is valid for {days} more days"),
        }
        Ok(current)
    }

    fn read(&self) -> Result<Current, String> {
        let said = |path: &Path, why: String| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("{name} cannot be used to encrypt: {why}.")
        };
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(&self.cert)
            .and_then(Iterator::collect)
            .map_err(|error| said(&self.cert, error.to_string()))?;
        let first = chain.first().ok_or_else(|| said(&self.cert, "it holds no certificate".to_owned()))?;
        let until =
            until(first).ok_or_else(|| said(&self.cert, "its certificate is malformed".to_owned()))?;
        let key =
            PrivateKeyDer::from_pem_file(&self.key).map_err(|error| said(&self.key, error.to_string()))?;
        if !local::is_private(&self.key) {
            tracing::warn!("others on this machine can read the private key; let only its owner (mode 0600)");
        }
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| said(&self.cert, error.to_string()))?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(|error| said(&self.key, error.to_string()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Current { acceptor: TlsAcceptor::from(Arc::new(config)), until, looked: Instant::now() })
    }
}

/// The end of a certificate's validity.
fn until(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    let read = Certificate::from_der(certificate).ok()?;
    Some(UNIX_EPOCH + read.tbs_certificate().validity().not_after.to_unix_duration())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-140: made once, used again, made anew when it is due or broken; only its owner reads the key.
    #[test]
    fn the_local_certificate_is_made_once_and_renewed() {
        let folder = tempfile::tempdir().unwrap();
        let tls = Tls::Local(folder.path().join("data"));
        let first = Encryption::new(&tls).unwrap().unwrap();
        let read = || std::fs::read(&first.files.cert).unwrap();
        let made = read();
        assert!(first.notice().contains("valid until 20"), "{}", first.notice());
        Encryption::new(&tls).unwrap().unwrap();
        assert_eq!(read(), made);
        assert!(local::is_private(&first.files.key));
        std::fs::write(&first.files.key, "torn").unwrap();
        Encryption::new(&tls).unwrap().unwrap();
        assert_ne!(read(), made);
        let until = first.now.lock().unwrap().until;
        assert!(!local::is_due(until) && local::is_due(SystemTime::now() + Duration::from_secs(86_400)));
    }

    #[test]
    fn files_that_are_none_are_named_without_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (cert, key) = (folder.path().join("a.pem"), folder.path().join("b.pem"));
        std::fs::write(&cert, "no certificate").unwrap();
        let error = Encryption::new(&Tls::Files { cert, key }).unwrap_err();
        assert!(error.contains("a.pem") && !error.contains(&*folder.path().to_string_lossy()), "{error}");
    }
}
