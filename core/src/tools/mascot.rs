//! The puppy in the corner of the window; nothing here touches notes.

pub mod status;
