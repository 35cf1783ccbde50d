//! Views inside manually created elements, and the reverse, until every page is a view.

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::add_attr::AddAnyAttr;
use leptos::tachys::view::{Mountable, Position, PositionState};
use web_sys::Element;

use crate::el::El;

/// An existing element as a view. It is disposed of with the current owner, like its listeners.
pub fn legacy(element: &El) -> AnyView {
    match element.node() {
        Some(node) => Placed(StoredValue::new_local(node.clone())).into_any(),
        None => ().into_any(),
    }
}

/// A view as an element, for a page that creates its elements manually. The view needs a single root element. Its signals
/// and listeners are disposed of with the current owner.
pub fn node(view: AnyView) -> El {
    let mut state = view.build();
    let place = leptos::tachys::dom::document().create_element("div").ok();
    let root = place.and_then(|place| {
        state.mount(&place, None);
        place.first_element_child()
    });
    // The state keeps the effects and the listeners of the view.
    StoredValue::new_local(state);
    El::of(root)
}

/// An element that a view inserts. It renders nothing once its owner is disposed of.
#[derive(Clone, Copy)]
struct Placed(StoredValue<Element, LocalStorage>);

impl Render for Placed {
    type State = Option<Element>;

    fn build(self) -> Self::State {
        self.0.try_get_value()
    }

    fn rebuild(self, state: &mut Self::State) {
        let mut fresh = self.build();
        if fresh != *state {
            state.insert_before_this(&mut fresh);
            state.unmount();
            *state = fresh;
        }
    }
}

impl AddAnyAttr for Placed {
    type Output<NewAttr: Attribute> = Placed;

    fn add_any_attr<NewAttr: Attribute>(self, _: NewAttr) -> Self::Output<NewAttr> {
        self
    }
}

/// Leptos requires these items, but calls none of them in a page that is rendered in the browser.
impl RenderHtml for Placed {
    type AsyncOutput = Placed;
    type Owned = Placed;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self::AsyncOutput {
        self
    }

    fn to_html_with_buf(self, _: &mut String, _: &mut Position, _: bool, _: bool, _: Vec<AnyAttribute>) {}

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Self::State {
        self.build()
    }

    fn into_owned(self) -> Self::Owned {
        self
    }
}
