//! The components that the pages of the panel and of the playground are made of, in the host's own markup.
//!
//! Each component is compiled once: it returns an `AnyView` and takes its values as `TextProp`, `Signal` and `Callback`. A
//! page adds only its texts and closures to the module.

#![cfg(target_arch = "wasm32")]

mod bridge;
pub mod buttons;
pub mod copying;
pub mod el;
pub mod fields;
mod fresh;
mod keys;
mod mounting;
mod old;
pub mod page;
pub mod rows;
mod values;

pub use bridge::{legacy, node};
pub use buttons::{Button, FILLED, OUTLINE, PLAIN, SMALL, Toggle, UNDO};
pub use copying::{Copies, CopyButton, CopyLine};
pub use fields::{Area, Check, Input, Select, options};
pub use fresh::fresh;
pub use keys::{attribute_near, hold_keys, keys, set_checked};
pub use mounting::mount;
pub use old::*;
pub use page::{Card, Choices, Empty, Group, Hint, Icon, Loading, Page, Pre, Space, Trouble};
pub use rows::{Choice, Field, Row, Switch};
pub use values::{show, yes};
