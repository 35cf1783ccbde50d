//! Tests of the whole client in a simulated world: the life of a connection, its requests, and leaving.

mod asking;
mod leaving;
mod life;
mod many;
