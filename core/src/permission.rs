//! Permissions: levels, the grants table, targets and what they resolve to, and rows not yet filtered.
//!
//! Reading order: [`Level`], [`Grants`], [`Target`] and [`Need`], [`Place`], `authorize`, [`Unfiltered`].

mod access;
mod authorize;
mod grants;
mod level;
mod resolve;
mod scope;
mod target;
mod unfiltered;

pub use access::AccessSettings;
pub(crate) use authorize::authorize;
pub use grants::{Closed, Grants, Table};
pub use level::Level;
pub(crate) use resolve::Resolver;
pub use scope::{Scope, ScopeSource};
pub use target::{Above, Need, Place, Places, StoragePath, Target, Targets};
pub use unfiltered::{Filter, InNotebook, Unfiltered};
