//! Encryption: a person's PEM files, or a certificate for this machine that is made and renewed here (B-140).

mod local;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustls::ServerConfig;
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use tokio_rustls::TlsAcceptor;
use yasna::{ASN1Result, BERReader, Tag, tags};

/// The interval at which a running server checks whether its certificate was renewed or is due.
const LOOK: Duration = Duration::from_secs(60 * 60);

/// The source of the certificate.
#[derive(Debug, Clone, Default)]
pub enum Tls {
    /// Plain HTTP.
    #[default]
    Off,
    /// A person's own PEM files.
    Files {
        /// The certificate chain, the server's own certificate first.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// A certificate made by this program.
    Local {
        /// The folder of the certificate.
        folder: PathBuf,
        /// The names and addresses it covers, in addition to this machine's own names.
        names: Vec<String>,
    },
}

/// A certificate in use.
#[derive(Clone)]
pub(super) struct Encryption {
    files: Files,
    now: Arc<Mutex<Current>>,
}

struct Current {
    acceptor: TlsAcceptor,
    certificate: CertificateDer<'static>,
    until: SystemTime,
    next_look: Instant,
}

#[derive(Debug, Clone)]
struct Files {
    cert: PathBuf,
    key: PathBuf,
    /// The names that a locally made certificate must cover.
    ours: Option<Vec<String>>,
}

impl std::fmt::Debug for Encryption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encryption").finish_non_exhaustive()
    }
}

impl Encryption {
    /// Reads the certificate; makes or renews a local one.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub(super) fn new(tls: &Tls) -> Result<Option<Encryption>, String> {
        let files = match tls {
            Tls::Off => return Ok(None),
            Tls::Files { cert, key } => Files { cert: cert.clone(), key: key.clone(), ours: None },
            Tls::Local { folder, names } => {
                let (cert, key) = local::paths(folder);
                Files { cert, key, ours: Some(local::all_names(names)) }
            }
        };
        let current = files.current()?;
        Ok(Some(Encryption { files, now: Arc::new(Mutex::new(current)) }))
    }

    /// The acceptor for the next connection. A renewed certificate is loaded; if the new one is invalid, the old one
    /// stays in use.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if now.next_look <= Instant::now() {
            now.next_look = Instant::now() + LOOK;
            match self.files.current() {
                Ok(current) => *now = current,
                Err(error) => tracing::warn!("the certificate in use stays: {error}"),
            }
        }
        now.acceptor.clone()
    }

    /// A sentence for the person who starts the server: the path of the certificate and its last day.
    pub(super) fn notice(&self) -> String {
        let until = self.now.lock().unwrap_or_else(PoisonError::into_inner).until;
        let day = chrono::DateTime::<chrono::Utc>::from(until).format("%Y-%m-%d");
        let trust =
            if self.files.ours.is_some() { "; let clients trust it (--ca-file, curl --cacert)" } else { "" };
        format!("certificate {} is valid until {day}{trust}", self.files.cert.display())
    }
}

impl Files {
    fn current(&self) -> Result<Current, String> {
        if let Some(names) = &self.ours {
            let usable = self.read().is_ok_and(|it| !local::is_due(it.until) && it.holds(names));
            if !usable {
                local::make(&self.cert, &self.key, names)?;
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
        let certificate = first.clone();
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
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Current { acceptor, certificate, until, next_look: Instant::now() + LOOK })
    }
}

impl Current {
    /// Whether the certificate covers all these names.
    fn holds(&self, names: &[String]) -> bool {
        let Ok(certificate) = ParsedCertificate::try_from(&self.certificate) else { return false };
        let holds = |name: ServerName<'_>| verify_server_name(&certificate, &name).is_ok();
        names.iter().all(|name| ServerName::try_from(name.as_str()).is_ok_and(holds))
    }
}

/// The end of validity of the certificate that this program made in a folder; `None` if it made none.
pub(crate) fn local_until(folder: &Path) -> Option<Result<SystemTime, String>> {
    let (cert, key) = local::paths(folder);
    cert.exists().then(|| Files { cert, key, ours: None }.read().map(|it| it.until))
}

/// The end of a certificate's validity.
fn until(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    // Only the times are left unread by it. So every part that `skip` passes over has a valid length.
    ParsedCertificate::try_from(certificate).ok()?;
    let read = |certificate: BERReader<'_, '_>| {
        certificate.read_sequence(|parts| {
            let until = parts.next().read_sequence(|signed| {
                signed.read_optional(|version| version.read_tagged(Tag::context(0), skip))?;
                for _serial_algorithm_and_issuer in 0..3 {
                    skip(signed.next())?;
                }
                let until = signed.next().read_sequence(|validity| {
                    seconds(validity.next())?;
                    seconds(validity.next())
                })?;
                while signed.read_optional(skip)?.is_some() {}
                Ok(until)
            })?;
            while parts.read_optional(skip)?.is_some() {}
            Ok(until)
        })
    };
    let seconds = u64::try_from(yasna::parse_der(certificate, read).ok()?).ok()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// Passes over a part whose length is known to be valid: yasna adds it to its position without a check.
fn skip(part: BERReader<'_, '_>) -> ASN1Result<()> {
    part.read_der().map(drop)
}

/// A time of a certificate as seconds since 1970: in the short form until 2049, in the long one afterwards.
fn seconds(time: BERReader<'_, '_>) -> ASN1Result<i64> {
    match time.lookahead_tag()? {
        tags::TAG_UTCTIME => Ok(time.read_utctime()?.datetime().unix_timestamp()),
        _ => Ok(time.read_generalized_time()?.datetime().unix_timestamp()),
    }
}

#[cfg(test)]
mod tests;
