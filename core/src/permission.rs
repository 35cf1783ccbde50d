//! Permissions: levels, the grants table, targets and what they resolve to, and rows not yet filtered.
//!
//! Reading order: [`Level`], [`Grants`], [`Target`] and [`Need`], [`Place`], `authorize`, [`Unfiltered`].

mod access;
mod authorize;
mod grants;
mod level;
mod place;
mod places;
mod resolve;
mod scope;
mod target;
mod unfiltered;

pub use access::AccessSettings;
pub(crate) use authorize::{authorize, check, check_all, least_level, offered};
pub use grants::{Closed, Grants, Table};
pub use level::Level;
pub(crate) use level::MORE_ALLOWED;
pub use place::{Above, Place, StoragePath, Where};
pub use places::Places;
pub(crate) use resolve::ids::{FEW, locate, locate_each};
pub(crate) use resolve::{Resolver, assets, databases, of_notebook, place_at};
pub use scope::{Scope, ScopeSource};
pub use target::{Need, Rule, Target, Targets};
pub use unfiltered::{Filter, InNotebook, Unfiltered};
