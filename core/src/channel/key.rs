//! The key that every page and every sidecar of a workspace shares: it lies in the plugin's storage.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use crate::kernel::{Kernel, KernelError, files};
use crate::strict;

/// Name of the file of the key, below the plugin's storage.
pub const KEY_FILE: &str = "bridgeKey";

/// The length of a signature in a message, in characters.
pub(super) const SIGNATURE: usize = 64;

/// The key. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

impl Key {
    /// The key of these random bytes.
    pub const fn new(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }

    /// The key of a workspace. Where there is none that can be used, `fresh` becomes it: losing a key costs its ends no
    /// more than reading the new one. Of several ends that write one at the same time the last wins, so the file is read
    /// again.
    ///
    /// # Errors
    /// If the kernel cannot be asked.
    pub async fn kept(kernel: &dyn Kernel, fresh: Key) -> Result<Key, KernelError> {
        if let Some(key) = Key::read(kernel).await? {
            return Ok(key);
        }
        files::write(kernel, &path(), fresh.to_json().into_bytes()).await?;
        Ok(Key::read(kernel).await?.unwrap_or(fresh))
    }

    /// The key of a workspace, if there is one that can be used.
    ///
    /// # Errors
    /// If the kernel cannot be asked.
    pub async fn read(kernel: &dyn Kernel) -> Result<Option<Key>, KernelError> {
        Ok(files::read(kernel, &path()).await?.and_then(|bytes| Key::parse(&bytes)))
    }

    fn parse(bytes: &[u8]) -> Option<Key> {
        let file = strict::object(bytes)?;
        Some(Key(unhex(file.get("key")?.as_str()?)?))
    }

    fn to_json(&self) -> String {
        json!({ "key": hex(&self.0) }).to_string()
    }

    fn mac(&self, text: &str) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(text.as_bytes());
        Some(mac)
    }

    /// The signature of a text.
    pub(super) fn sign(&self, text: &str) -> String {
        // A key of 32 bytes always fits; a message without a signature would only be ignored.
        self.mac(text).map(|mac| hex(&mac.finalize().into_bytes())).unwrap_or_default()
    }

    /// Whether a signature is that of the text; the comparison takes the same time for every signature.
    pub(super) fn verify(&self, text: &str, signature: &str) -> bool {
        let Some(signature) = unhex::<32>(signature) else { return false };
        self.mac(text).is_some_and(|mac| mac.verify_slice(&signature).is_ok())
    }
}

fn path() -> String {
    format!("{}{KEY_FILE}", files::STORAGE)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    for (to, [high, low]) in bytes.iter_mut().zip(pairs) {
        *to = digit(*high)? * 16 + digit(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::testing::FakeKernel;

    /// B-190: a signature holds for its text and its key; a key is never printed.
    #[test]
    fn a_signature_holds_for_its_text_and_key() {
        let (key, other) = (Key::new([7; 32]), Key::new([8; 32]));
        let signature = key.sign("hello");
        assert_eq!(signature.len(), SIGNATURE);
        assert!(key.verify("hello", &signature) && key.verify("hello", &signature.to_uppercase()));
        assert!(!key.verify("hello ", &signature) && !other.verify("hello", &signature));
        for wrong in ["", "0", &signature[1..], &format!("{signature}0"), &"é".repeat(32)] {
            assert!(!key.verify("hello", wrong), "{wrong}");
        }
        assert!(!format!("{key:?}").contains("07"));
    }

    /// The key that lies there counts; only one that cannot be used is replaced.
    #[test]
    fn a_key_is_made_where_there_is_none() {
        let path = path();
        let (old, fresh) = (Key::new([7; 32]), Key::new([8; 32]));
        for (file, kept) in [(Some(old.to_json()), &old), (Some("torn".to_owned()), &fresh), (None, &fresh)] {
            let mut kernel = FakeKernel::new();
            if let Some(text) = &file {
                kernel = kernel.file(&path, text);
            }
            let key = Key::kept(&kernel, fresh.clone()).now_or_never().unwrap().unwrap();
            assert_eq!(key, *kept, "{file:?}");
            let writes = kernel.asked().iter().filter(|(path, _)| path.ends_with("putFile")).count();
            assert_eq!(writes, usize::from(*kept == fresh), "{file:?}");
        }
    }
}
