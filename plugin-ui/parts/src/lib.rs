//! The components that the pages of the panel and of the playground are made of, in the host's own markup.
//!
//! Each component is compiled once: it returns an `AnyView` and takes its values as `TextProp`, `Signal` and `Callback`. A
//! page adds only its texts and closures to the module.

#![cfg(target_arch = "wasm32")]

pub mod buttons;
pub mod copying;
pub mod fields;
pub mod fresh;
mod keys;
mod labels;
mod mounting;
pub mod page;
pub mod rows;
mod values;

pub use buttons::{Button, FILLED, Link, OUTLINE, PLAIN, SMALL, Toggle, UNDO};
pub use copying::{Copies, CopyButton, CopyLine};
pub use fields::{Area, Check, Input, Select, options};
pub use fresh::{Keyed, fresh};
pub use keys::{attribute_near, hold_keys, is_open, keys, set_checked};
pub use labels::{Label, is_collecting, label, labels_of, once_drawn};
pub use mounting::mount;
pub use page::{Card, Choices, Empty, Group, Hint, Icon, Loading, Page, Pre, Space, Trouble, coded};
pub use rows::{Choice, Field, Row, Switch};
pub use values::{show, yes};
