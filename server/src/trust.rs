//! Trust in the other end of an encrypted connection, and advice for a person when it fails.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, InvalidMessage, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::words::FileWords;

/// The certificates that are trusted. No option turns verification off.
#[derive(Debug, Clone, Default)]
pub enum Trust {
    /// The certificates that this machine trusts.
    #[default]
    Machine,
    /// These certificates only.
    Only(Arc<RootCertStore>),
}

impl Trust {
    /// Trusts the certificates of a PEM file only.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub fn only(file: &Path) -> Result<Trust, String> {
        let words = FileWords::here();
        let text = std::fs::read(file).map_err(|error| words.ca_unreadable(error.kind()))?;
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&text) {
            certificate
                .ok()
                .and_then(|it| roots.add(it).ok())
                .ok_or_else(|| words.ca_malformed().to_owned())?;
        }
        if roots.is_empty() {
            return Err(words.ca_empty().to_owned());
        }
        Ok(Trust::Only(Arc::new(roots)))
    }

    /// The TLS configuration. An unencrypted connection gets an empty trust store: reading the machine's own list takes
    /// longer than a short command.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub fn greeting(&self, encrypted: bool) -> Result<ClientConfig, String> {
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|_| FileWords::here().no_encryption().to_owned())?;
        let mut config = match self {
            Trust::Only(roots) => builder.with_root_certificates(Arc::clone(roots)),
            Trust::Machine if encrypted => {
                builder.with_platform_verifier().map_err(|_| FileWords::here().no_trust().to_owned())?
            }
            Trust::Machine => builder.with_root_certificates(RootCertStore::empty()),
        }
        .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// A sentence that says why the other end was not trusted and what to do; `None` for any other failure.
pub(crate) fn refusal(error: &(dyn Error + 'static)) -> Option<&'static str> {
    use CertificateError::{
        Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet, NotValidYetContext,
        UnknownIssuer,
    };
    Some(match tls_error(error)? {
        rustls::Error::InvalidCertificate(reason) => match reason {
            Expired | ExpiredContext { .. } => {
                "Its certificate has expired. Renew it there; restarting siyuan-puppy renews a certificate that it created."
            }
            NotValidYet | NotValidYetContext { .. } => {
                "Its certificate is not valid yet. Compare the clocks of both machines."
            }
            NotValidForName | NotValidForNameContext { .. } => {
                "Its certificate does not contain the name in the address. Use a name from the certificate; one that siyuan-puppy creates contains localhost and the names in --host and --allow-host."
            }
            UnknownIssuer => {
                "No authority that is trusted here has signed its certificate. If you trust it, copy its PEM file, or that of its issuer, to this machine, and name the copy with --ca-file or SIYUAN_MCP_CA_FILE."
            }
            _ => "Its certificate cannot be verified: it is malformed, revoked or issued for another use.",
        },
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "It does not encrypt. Use http://, or turn on encryption there."
        }
        _ => "No encrypted connection could be made: it may support only old versions of TLS.",
    })
}

/// Finds the TLS failure within another error.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = match error.downcast_ref::<io::Error>() {
            // `source()` of an I/O error skips the error it wraps.
            Some(outer) => outer.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_file_without_a_certificate_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        let refused = |text: Option<&str>| {
            if let Some(text) = text {
                std::fs::write(&file, text).unwrap();
            }
            Trust::only(&file).unwrap_err()
        };
        let torn = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for said in [refused(None), refused(Some("")), refused(Some("no certificate")), refused(Some(torn))] {
            assert!(said.contains("--ca-file"), "{said}");
            assert!(!said.contains(&*folder.path().to_string_lossy()), "{said}");
        }
    }

    #[test]
    fn nested_certificate_error_is_found() {
        let deep = |error| io::Error::other(io::Error::other(rustls::Error::InvalidCertificate(error)));
        assert!(refusal(&deep(CertificateError::UnknownIssuer)).unwrap().contains("--ca-file"));
        assert!(refusal(&deep(CertificateError::Expired)).unwrap().contains("has expired"));
        assert!(refusal(&io::Error::other("refused")).is_none());
    }
}
