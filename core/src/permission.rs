//! Permissions: targets, the places to which they resolve, and the decision by the levels of
//! [`grants`](crate::grants).
//!
//! Reading order: [`Level`], [`Grants`], [`Target`] and [`Need`], [`Place`], `authorize`, [`Unfiltered`].

mod access;
mod authorize;
mod denied;
mod place;
mod places;
mod resolve;
mod scope;
mod target;

pub use access::AccessSettings;
pub(crate) use authorize::{authorize, check, check_all, least_level, offered};
pub use place::{ParentPlace, Place, StoragePath, Where};
pub use places::Places;
pub(crate) use resolve::ids::{FEW, locate, locate_each};
pub(crate) use resolve::{Resolver, assets, databases, of_notebook, place_at};
pub use scope::{Scope, ScopeSource};
pub use target::{Need, Rule, Target, Targets};

pub(crate) use crate::grants::MORE_ALLOWED;
pub use crate::grants::{Ceiling, Closed, Filter, Grants, InNotebook, Level, LevelTable, Unfiltered};
