//! Derives for action declarations.
