//! The endpoints of the kernel in use, by area.
//!
//! Each is a function that makes the request, with the arguments that the kernel needs and the type of the reply. The
//! constant beside a function is the route that a declaration names in `calls`.

pub mod asset;
pub mod attr;
pub mod av;
pub mod block;
pub mod export;
pub mod file;
pub mod filetree;
pub mod history;
pub mod notebook;
pub mod notification;
pub mod query;
pub mod repo;
pub mod riff;
pub mod search;
pub mod sync;
pub mod system;
pub mod template;
pub mod transactions;
pub mod ui;

use serde::{Deserialize, Deserializer};

/// Declares endpoints. Each has a sentence, `read`, `optional`, `write` or `silent` (see [`Route`](super::Route)), the name of
/// its route, the name of its function with the arguments, the type of the reply, and the body. Nulls are left out of
/// the body.
macro_rules! endpoints {
    ($base:literal; $(
        $(#[doc = $doc:literal])+
        $nature:ident $route:ident $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $reply:ty
            = $path:literal { $($body:tt)* };
    )*) => {$(
        $(#[doc = $doc])+
        pub const $route: $crate::kernel::Route = $crate::kernel::Route::$nature(concat!($base, $path));

        $(#[doc = $doc])+
        pub fn $name($($arg: $ty),*) -> $crate::kernel::TypedRequest<$reply> {
            $crate::kernel::TypedRequest::json($route, ::serde_json::json!({ $($body)* }))
        }
    )*};
}
use endpoints;

/// Decodes a list, which Go serializes as null if it was never filled.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(list: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(list)?.unwrap_or_default())
}
