//! Security tests: each point of the list of attacks has a test that is named after it.

mod agents;
mod door;
mod hostile;
mod life;
mod limits;
mod long;
mod origins;
mod places;
mod revisions;
mod sessions;
mod stdio;
mod tls;
mod token_setting;
mod tokens;
