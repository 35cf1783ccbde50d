//! Wishes: the features of the puppy (menu, card, bubble, touch, notice) only wish; `Life::grant` alone acts.

use std::rc::Rc;

use puppy_core::activity::shop::ShopItem;

/// A point of the window, in pixels.
pub(crate) type Point = (i32, i32);

/// The ids of a notebook and perhaps of a document in it.
pub(crate) type PlaceIds = (String, Option<String>);

/// The pages of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardPage {
    /// Coins, calls, mood.
    Wage,
    /// Everything that can be eaten.
    Food,
    /// Everything.
    Shop,
}

/// A feature's wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Open the card at a page, with the focus in it.
    OpenCard(CardPage),
    /// Show the wage for a while: an agent asked for it.
    ShowWage,
    CloseCard,
    /// Close the card, and put the focus back on the puppy.
    LeaveCard,
    /// Close the card, unless a person is using it.
    ExpireCard,
    /// Open the menu at a point.
    OpenMenu(Point),
    /// Open the panel at the newest run.
    OpenRun,
    /// Open the panel at a page.
    OpenPanel(&'static str),
    /// Buy one and give it.
    Buy(ShopItem),
    /// Pause every call of agents, or let them go on.
    Pause(bool),
    /// End the errands of agents.
    EndErrands,
    /// Hide for some hours, or until the puppy is called.
    Hide(Option<u64>),
    Pet,
    Lift,
    /// Carry it to a point.
    Drag(Point),
    /// Put it down where it is, and remember the place.
    Land,
    /// Put it down where it was lifted.
    PutBack(Point),
    /// Move it to a point and remember the place; `None` is its first place.
    Move(Option<Point>),
    /// Turn its pupils to the pointer.
    LookAt(Point),
    /// Look after the caret: it has moved.
    MindCaret,
    /// Fade, if the caret is still covered.
    Fade,
    /// Show or hide the line over the puppy.
    ShowTip(bool),
    /// Find the names behind the ids of a place.
    NamePlace(PlaceIds),
    /// Draw it as it is now.
    Refresh,
}

/// The way from the features to the life; it keeps nothing alive.
#[derive(Clone)]
pub(crate) struct Wishes(Rc<dyn Fn(Wish)>);

impl Wishes {
    /// Wishes that are granted by a function.
    pub(crate) fn new(grant: impl Fn(Wish) + 'static) -> Wishes {
        Wishes(Rc::new(grant))
    }

    /// Makes a wish; it is granted before this returns.
    pub(crate) fn wish(&self, wish: Wish) {
        (self.0)(wish);
    }
}
