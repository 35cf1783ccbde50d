//! Views, and the life of one that is shown in an element of the page.

use any_spawner::Executor;
use reactive_graph::owner::Owner;
use tachys::view::{Mountable as _, RenderHtml};
use web_sys::HtmlElement;

/// Whatever can be shown.
pub trait IntoView: RenderHtml + Send {}

impl<T: RenderHtml + Send> IntoView for T {}

/// The constructor that `view!` calls. A view needs no wrapper: what Leptos keeps in one serves hot reloading.
#[derive(Debug)]
pub struct View;

impl View {
    /// The view itself.
    #[expect(clippy::new_ret_no_self, reason = "`view!` writes this name")]
    pub fn new<T: IntoView>(view: T) -> T {
        view
    }
}

/// The mark that `view!` sets in a development build, for hot reloading; nothing here reads it.
pub trait Marked: IntoView {
    /// The view itself.
    fn with_view_marker(self, _mark: &'static str) -> Self {
        self
    }
}

impl<T: IntoView> Marked for T {}

/// Views one after the other.
pub trait CollectView {
    /// One of them.
    type View: IntoView;

    /// Collects the views of an iterator.
    fn collect_view(self) -> Vec<Self::View>;
}

impl<I: IntoIterator<Item: IntoView>> CollectView for I {
    type View = I::Item;

    fn collect_view(self) -> Vec<Self::View> {
        self.into_iter().collect()
    }
}

/// A view that is shown until this is dropped.
#[must_use = "the view goes when this is dropped"]
pub struct Shown<T: IntoView> {
    state: T::State,
    /// Ends the signals and effects of the view; dropped after the view has left the page.
    _owner: Owner,
}

impl<T: IntoView> Drop for Shown<T> {
    fn drop(&mut self) {
        self.state.unmount();
    }
}

/// Shows a view at the end of an element.
pub fn mount_to<T: IntoView>(parent: &HtmlElement, view: impl FnOnce() -> T) -> Shown<T> {
    // An error means that a view was shown before, which has set the executor already.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let state = owner.with(|| {
        let mut state = view().build();
        state.mount(parent, None);
        state
    });
    Shown { state, _owner: owner }
}
