//! The app itself: version and settings, messages, the screen.

pub mod get_info;

actions! {
    get_info::GetInfo,
}
