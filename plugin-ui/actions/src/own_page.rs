//! The page that serves calls of SiYuan's own agent; none before its first call.

use std::cell::RefCell;

use puppy_ui_web::host::own::OwnHost;

thread_local! {
    static PAGE: RefCell<Option<OwnHost>> = const { RefCell::new(None) };
}

/// The page.
pub(crate) fn page() -> Option<OwnHost> {
    PAGE.with_borrow(|it| it.as_ref().map(OwnHost::another))
}

/// Notes the page of a call, or that there is none any more.
pub(crate) fn serves(page: Option<OwnHost>) {
    PAGE.set(page);
}
