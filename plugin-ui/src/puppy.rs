//! The puppy in the page: [`pose`] says how it looks, [`rig`] is the drawing, the rest moves it.

pub mod pose;
pub mod rig;

#[cfg(target_arch = "wasm32")]
mod life;
#[cfg(target_arch = "wasm32")]
mod touch;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
pub use life::mount;
