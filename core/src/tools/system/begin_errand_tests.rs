//! Tests of `system.begin_errand`: the bounds, the place, and callers that can have no errand.
