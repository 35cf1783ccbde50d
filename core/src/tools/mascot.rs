//! The puppy in the corner of the window; nothing here touches notes.

pub mod buy;
pub mod shop;
pub mod status;

actions! {
    status::Status,
    shop::Shop,
    buy::Buy,
}
