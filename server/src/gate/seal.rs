//! Seals: tokens of an approval, bound to caller, call and plan, valid once and for five minutes (B-074).
//!
//! A seal is `number, moment, plan` with an HMAC over these and over the bound values. A used number is kept until the
//! seal would have expired anyway, so memory grows with approvals, not with questions.
//!
//! rmcp's `RequestStateCodec` is not used: it reads the machine's clock instead of a given one, accepts a seal from the
//! future as fresh, and its seals, which a model has to copy, are twice as long. Single use would need this code all
//! the same.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use puppy_core::dispatch::{CONFIRM_MS, Fingerprint};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The lifetime of a seal, in milliseconds.
pub(crate) const LIFE_MS: u64 = CONFIRM_MS;

/// The purpose of a seal; a seal of one purpose never passes for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The argument `confirm`.
    Confirm,
    /// The state that a client returns with a person's answer.
    Answer,
}

/// The values that a seal is bound to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SealBinding<'a> {
    pub(crate) purpose: Purpose,
    /// The caller.
    pub(crate) principal: &'a str,
    /// Action and arguments.
    pub(crate) call: Fingerprint,
}

/// The reason why a seal is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SealError {
    /// Not issued here, altered, or bound to something else.
    Foreign,
    Expired,
    /// Already used.
    Used,
}

/// Makes and opens seals with a key that is unique to this process.
pub(crate) struct Seals {
    key: [u8; 32],
    next: AtomicU64,
    /// The numbers of used seals, with the moments at which they were sealed.
    used: Mutex<HashMap<u64, u64>>,
}

impl fmt::Debug for Seals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seals(hidden)")
    }
}

impl Seals {
    pub(crate) fn new(key: [u8; 32]) -> Seals {
        Seals { key, next: AtomicU64::new(1), used: Mutex::default() }
    }

    /// Seals the approval of a plan.
    pub(crate) fn seal(&self, bound: SealBinding<'_>, plan: Fingerprint, now_ms: u64) -> Option<String> {
        let content = Content { number: self.next.fetch_add(1, Ordering::Relaxed), sealed_ms: now_ms, plan };
        let mut bytes = content.bytes().to_vec();
        bytes.extend(self.tag(bound, &content)?);
        Some(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Returns the plan of a seal and marks the seal as used.
    pub(crate) fn open(
        &self,
        sealed: &str,
        bound: SealBinding<'_>,
        now_ms: u64,
    ) -> Result<Fingerprint, SealError> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed.trim()).map_err(|_| SealError::Foreign)?;
        let (content, tag) = bytes.split_first_chunk::<32>().ok_or(SealError::Foreign)?;
        let content = Content::of(content).ok_or(SealError::Foreign)?;
        let due = self.tag(bound, &content).ok_or(SealError::Foreign)?;
        if !bool::from(due.ct_eq(tag)) {
            return Err(SealError::Foreign);
        }
        // A moment in the future means that the clock was set back.
        if now_ms.checked_sub(content.sealed_ms).is_none_or(|age| age > LIFE_MS) {
            return Err(SealError::Expired);
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, sealed_ms| now_ms.saturating_sub(*sealed_ms) <= LIFE_MS);
        match used.insert(content.number, content.sealed_ms) {
            None => Ok(content.plan),
            Some(_) => Err(SealError::Used),
        }
    }

    /// The first 16 bytes of the HMAC.
    fn tag(&self, bound: SealBinding<'_>, content: &Content) -> Option<Vec<u8>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).ok()?;
        mac.update(match bound.purpose {
            Purpose::Confirm => b"confirm",
            Purpose::Answer => b"answer ",
        });
        mac.update(&content.bytes());
        mac.update(&bound.call.0);
        mac.update(bound.principal.as_bytes());
        Some(mac.finalize().into_bytes().iter().copied().take(16).collect())
    }
}

/// The content of a seal.
struct Content {
    number: u64,
    sealed_ms: u64,
    plan: Fingerprint,
}

impl Content {
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let all =
            self.number.to_le_bytes().into_iter().chain(self.sealed_ms.to_le_bytes()).chain(self.plan.0);
        for (to, from) in bytes.iter_mut().zip(all) {
            *to = from;
        }
        bytes
    }

    fn of(bytes: &[u8; 32]) -> Option<Content> {
        let (number, rest) = bytes.split_first_chunk()?;
        let (sealed_ms, rest) = rest.split_first_chunk()?;
        Some(Content {
            number: u64::from_le_bytes(*number),
            sealed_ms: u64::from_le_bytes(*sealed_ms),
            plan: Fingerprint(*rest.first_chunk()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000_000;

    fn bound(principal: &'static str, call: &str) -> SealBinding<'static> {
        SealBinding { purpose: Purpose::Confirm, principal, call: Fingerprint::of([call]) }
    }

    /// B-074: a seal opens once, and only for its caller, its call and its purpose.
    #[test]
    fn seal_opens_once_and_for_its_call_only() {
        let seals = Seals::new([7; 32]);
        let (mine, plan) = (bound("a", "call"), Fingerprint::of(["plan"]));
        let sealed = seals.seal(mine, plan, NOW).unwrap();
        assert_eq!(sealed.len(), 64);
        for other in
            [bound("b", "call"), bound("a", "other"), SealBinding { purpose: Purpose::Answer, ..mine }]
        {
            assert_eq!(seals.open(&sealed, other, NOW), Err(SealError::Foreign), "{other:?}");
        }
        assert_eq!(Seals::new([8; 32]).open(&sealed, mine, NOW), Err(SealError::Foreign));
        assert_eq!(seals.open(&sealed, mine, NOW), Ok(plan));
        assert_eq!(seals.open(&sealed, mine, NOW), Err(SealError::Used));
        assert_eq!(seals.open(&format!(" {sealed}\n"), mine, NOW), Err(SealError::Used));
        let again = seals.seal(mine, plan, NOW).unwrap();
        assert_ne!(again, sealed);
        assert_eq!(seals.open(&again, mine, NOW), Ok(plan));
    }

    /// B-074: a seal holds for five minutes by the given clock.
    #[test]
    fn seal_expires_after_five_minutes() {
        let seals = Seals::new([7; 32]);
        let (mine, plan) = (bound("a", "call"), Fingerprint::of(["plan"]));
        let open_at = |at: u64| seals.open(&seals.seal(mine, plan, NOW).unwrap(), mine, at);
        assert_eq!(open_at(NOW + 300_000), Ok(plan));
        assert_eq!(open_at(NOW + 301_000), Err(SealError::Expired));
        assert_eq!(open_at(NOW - 1), Err(SealError::Expired));
        // Used seals that have expired are forgotten.
        assert_eq!(open_at(NOW), Ok(plan));
        let late = seals.seal(mine, plan, NOW + 400_000).unwrap();
        assert_eq!(seals.open(&late, mine, NOW + 400_000), Ok(plan));
        assert_eq!(seals.used.lock().unwrap().len(), 1);
    }

    /// B-074: altering any byte invalidates the seal.
    #[test]
    fn altered_seal_is_invalid() {
        let seals = Seals::new([7; 32]);
        let (mine, plan) = (bound("a", "call"), Fingerprint::of(["plan"]));
        let sealed = URL_SAFE_NO_PAD.decode(seals.seal(mine, plan, NOW).unwrap()).unwrap();
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert_eq!(
                seals.open(&URL_SAFE_NO_PAD.encode(altered), mine, NOW),
                Err(SealError::Foreign),
                "{at}"
            );
        }
        for cut in [0, 1, 31, 32, 47] {
            let cut = URL_SAFE_NO_PAD.encode(&sealed[..cut]);
            assert_eq!(seals.open(&cut, mine, NOW), Err(SealError::Foreign));
        }
        assert_eq!(seals.open("not base64 !", mine, NOW), Err(SealError::Foreign));
        assert!(!format!("{seals:?}").contains('7'));
    }
}
