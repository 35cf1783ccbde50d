//! The versions of SiYuan that this kernel can be, and the strictness of the newer one.

use std::str::FromStr;
use std::sync::LazyLock;

use serde_json::Value;

use crate::answer::{Args, FormPart, Refusal};
use crate::contract::{Access, Contract};

/// A version of SiYuan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Siyuan {
    /// 3.7.3, the version that the recordings below `e2e/kernel/` are from.
    #[default]
    V3_7,
    /// 3.8.6, as its public sources describe it: strict requests, new kinds of blocks and views.
    V3_8,
}

impl FromStr for Siyuan {
    type Err = String;

    fn from_str(text: &str) -> Result<Siyuan, String> {
        match text {
            "3.7" => Ok(Siyuan::V3_7),
            "3.8" => Ok(Siyuan::V3_8),
            other => Err(format!("SiYuan {other} is not known here; there are 3.7 and 3.8")),
        }
    }
}

impl Siyuan {
    /// The version that the kernel tells.
    #[must_use]
    pub fn version(self) -> &'static str {
        match self {
            Siyuan::V3_7 => "3.7.3",
            Siyuan::V3_8 => "3.8.6",
        }
    }

    /// Whether it has what came with 3.8.
    pub(crate) fn is_newer(self) -> bool {
        self == Siyuan::V3_8
    }

    /// The contract by which requests are decoded; 3.7 has none.
    fn contract(self) -> Option<&'static Contract> {
        // A test reads the data, so it cannot be missing here.
        static NEWER: LazyLock<Option<Contract>> = LazyLock::new(|| Contract::siyuan_3_8().ok());
        NEWER.as_ref().filter(|_| self.is_newer())
    }

    /// Refuses arguments that the contract does not allow. What the contract does not list passes: those endpoints
    /// are for the page.
    pub(crate) fn decode(self, path: &str, args: Args) -> Result<Args, Refusal> {
        let Some(contract) = self.contract().filter(|it| it.endpoints.contains_key(path)) else {
            return Ok(args);
        };
        let Args(fields) = args;
        let body = Value::Object(fields);
        contract.check(path, &body).map_err(Refusal::new)?;
        let Value::Object(fields) = body else { return Ok(Args::default()) };
        Ok(Args(fields))
    }

    /// Refuses a form that the contract does not allow; the parts of anything but a form are none.
    pub(crate) fn decode_form(self, path: &str, form: Option<&[FormPart]>) -> Result<(), Refusal> {
        let Some(contract) = self.contract().filter(|it| it.endpoints.contains_key(path)) else {
            return Ok(());
        };
        let parts =
            form.unwrap_or_default().iter().map(|part| (part.name.as_str(), part.file_name.is_some()));
        contract.check_form(path, &parts.collect::<Vec<_>>()).map_err(Refusal::new)
    }

    /// The refusal for a reader of published notes; `None` if the endpoint also answers readers.
    pub(crate) fn refuses_reader(self, path: &str) -> Option<NotForReaders> {
        let endpoint = self.contract()?.endpoints.get(path)?;
        match endpoint.access {
            Access::Admin => Some(NotForReaders::Admin),
            _ if endpoint.refused_when_readonly => Some(NotForReaders::Readonly),
            _ => None,
        }
    }
}

/// Why a reader of published notes may not call an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotForReaders {
    /// Only an administrator may: HTTP 403 without a body.
    Admin,
    /// It writes: code -1.
    Readonly,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn args(value: &Value) -> Args {
        Args(value.as_object().cloned().unwrap())
    }

    #[test]
    fn only_the_newer_version_decodes_strictly() {
        let path = "/api/block/getChildBlocks";
        assert!(Siyuan::V3_7.decode(path, args(&json!({ "id": 1 }))).is_ok());
        let refused = |body| Siyuan::V3_8.decode(path, args(&body)).unwrap_err();
        assert_eq!(refused(json!({})), Refusal::new("Field [id] is required"));
        assert_eq!(refused(json!({ "id": null })), Refusal::new("Field [id] must not be null"));
        assert!(Siyuan::V3_8.decode(path, args(&json!({ "id": "x", "other": 1 }))).is_ok());
        assert!(Siyuan::V3_8.decode("/api/storage/getLocalStorage", Args::default()).is_ok());
    }

    #[test]
    fn readers_are_refused_what_administrators_alone_may_call() {
        let refusals = |path| (Siyuan::V3_7.refuses_reader(path), Siyuan::V3_8.refuses_reader(path));
        assert_eq!(refusals("/api/query/sql"), (None, Some(NotForReaders::Admin)));
        assert_eq!(refusals("/api/system/version"), (None, None));
        assert_eq!(refusals("/api/block/getDocInfo"), (None, None));
    }
}
