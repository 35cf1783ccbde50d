//! The app itself: version and settings, messages, what is open on screen.

pub mod get_info;
