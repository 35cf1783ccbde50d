//! Tool registry, permissions and actions.
