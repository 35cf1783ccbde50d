//! The certificates that an image for containers trusts, which has no system with a list of its own: Mozilla's, as PEM.

use pem::{EncodeConfig, LineEnding, Pem};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// All of them, one below the other.
pub(crate) fn text() -> String {
    let all: Vec<Pem> = TLS_SERVER_ROOT_CERTS.iter().map(|it| Pem::new("CERTIFICATE", it.as_ref())).collect();
    pem::encode_many_config(&all, EncodeConfig::new().set_line_ending(LineEnding::LF))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-326.
    #[test]
    fn every_certificate_is_in_the_text() {
        let text = text();
        let read = pem::parse_many(&text).unwrap();
        assert!(read.len() > 100, "{}", read.len());
        let due: Vec<&[u8]> = TLS_SERVER_ROOT_CERTS.iter().map(AsRef::as_ref).collect();
        assert_eq!(read.iter().map(Pem::contents).collect::<Vec<_>>(), due);
        assert!(text.is_ascii() && !text.contains('\r') && text.lines().all(|it| it.len() <= 64));
    }
}
