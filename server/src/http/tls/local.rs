//! The certificate for this machine's own names: made here, readable by its owner only, renewed before it expires.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::pki_types::ServerName;

/// The validity of a certificate: the longest that systems accept.
const VALID: time::Duration = time::Duration::days(397);
/// The remaining validity at which a certificate is renewed.
const BEFORE_END: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The allowance for clocks that differ: a certificate is valid from this long before it is made.
const SKEW: time::Duration = time::Duration::days(1);

/// The prefix of a file that is still being written.
const UNFINISHED: &str = ".unfinished-";

/// The names by which every machine calls itself.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The paths of certificate and key in a folder.
pub(super) fn paths(folder: &Path) -> (PathBuf, PathBuf) {
    (folder.join("local-certificate.pem"), folder.join("local-key.pem"))
}

/// Whether a certificate with this end of validity must be renewed.
pub(super) fn is_due(until: SystemTime) -> bool {
    until < SystemTime::now() + BEFORE_END
}

/// The names of this machine and those that a person configured; names that are invalid in a certificate are left out.
pub(super) fn all_names(given: &[String]) -> Vec<String> {
    let given = given.iter().map(String::as_str).filter(|it| ServerName::try_from(*it).is_ok());
    NAMES.into_iter().chain(given).map(str::to_owned).collect()
}

/// Makes a certificate, and a key if there is none. The key is kept across renewals, so that a client that trusts the
/// old certificate file trusts the new certificate too.
pub(super) fn make(cert: &Path, key: &Path, names: &[String]) -> Result<(), String> {
    let failed =
        |error: rcgen::Error| format!("The certificate for this machine cannot be created: {error}.");
    let mut params = CertificateParams::new(names).map_err(failed)?;
    params.distinguished_name.push(DnType::CommonName, "siyuan-puppy on this machine");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let now = time::OffsetDateTime::now_utc();
    params.not_before = now - SKEW;
    params.not_after = now - SKEW + VALID;
    let kept_pair = fs::read_to_string(key).ok().and_then(|text| KeyPair::from_pem(&text).ok());
    let pair = kept_pair.map_or_else(KeyPair::generate, Ok).map_err(failed)?;
    let made = params.self_signed(&pair).map_err(failed)?;
    let kept =
        |error: io::Error| format!("The certificate for this machine cannot be saved: {}.", error.kind());
    let folder = cert.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(kept)?;
    crate::unfinished::clear(folder, UNFINISHED);
    keep(folder, key, &pair.serialize_pem()).map_err(kept)?;
    keep(folder, cert, &made.pem()).map_err(kept)
}

/// Writes a file that only its owner can read, completely or not at all. A newly created file with a random name cannot
/// be a link, and no other process has it open.
fn keep(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut fresh = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.persist(path).map(drop).map_err(|error| error.error)
}

/// Whether only its owner can read a file, on systems that have such modes.
pub(super) fn is_private(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o077 == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        true
    }
}
