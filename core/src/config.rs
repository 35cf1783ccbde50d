//! Configuration in the kernel's storage: switches of tools and actions, their older shapes, settings.

mod access;
mod files;
mod http;
mod offer;
mod policy;
mod settings;
mod stored;
mod switches;

pub use access::{AccessFile, AccessKey};
pub use files::SettingsFile;
pub use http::{HttpChange, HttpSettings, PORT};
pub use offer::Offer;
pub use policy::{Cache, Policy, PolicyView, Rules};
pub use settings::{ApprovalMethod, CallSettings, CallerToken, Patience, Pause};
pub use switches::Switches;

pub use crate::agents::AGENTS_FILE;
pub use crate::grants::{GRANTS_FILE, MADE_FILE};

/// Name of the file of switches, below the plugin's storage.
pub const SWITCHES_FILE: &str = "mcpToolsConfig";
/// Name of the settings about what agents create, below the plugin's storage.
pub const ACCESS_FILE: &str = "accessSettings";
/// Name of the sidecar's settings, below the plugin's storage: `paused`, `confirm`, `token`.
pub const HTTP_FILE: &str = "mcpHttpSettings";
