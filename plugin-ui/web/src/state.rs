//! Plain Rust without a page, for more than one program: settings, messages, requests, and the scenes of the puppy.

pub mod act;
pub mod address;
pub mod bubble;
pub mod calls;
pub mod day;
pub mod events;
pub mod message;
pub mod motion;
pub mod own_agent;
pub mod panel_request;
pub mod reply;
pub mod scene;
pub mod screen;
pub mod server;
pub mod settings;
pub mod stage;
pub mod tri;
pub mod trouble;
