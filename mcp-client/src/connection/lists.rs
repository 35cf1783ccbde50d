//! The lists of a server, fetched to their last page.

use serde_json::{Map, Value};

use super::{Change, Inner};
use crate::failure::Failure;
use crate::greeting::object;
use crate::message::code;
use crate::offer::{List, Offer};
use crate::wire::{Ask, Session};

/// The most pages of one list.
const MOST: usize = 1_000;

impl Inner {
    /// Fetches every list that the server has, in a session that nobody renews meanwhile.
    pub(super) async fn fetch_all(&self, session: &Session) -> Result<(), Failure> {
        let greeting = self.now.borrow().greeting.clone().ok_or(Failure::NotConnected)?;
        let mut offer = Offer::default();
        for list in List::ALL.into_iter().filter(|list| greeting.has(*list)) {
            let mut pages = Pages::of(list);
            while let Some(ask) = pages.next() {
                pages.add(self.wire.ask(session, self.wire.id(), &ask).await.map(|it| it.result))?;
            }
            offer.set(list, pages.items);
        }
        self.now.borrow_mut().offer = offer;
        List::ALL.into_iter().for_each(|list| self.tell(Change::List(list)));
        Ok(())
    }

    /// Fetches one list.
    pub(super) async fn items(&self, list: List) -> Result<Vec<Value>, Failure> {
        let mut pages = Pages::of(list);
        while let Some(ask) = pages.next() {
            pages.add(self.ask(&ask).await.map(|it| it.result))?;
        }
        Ok(pages.items)
    }
}

/// The pages of a list so far.
struct Pages {
    list: List,
    items: Vec<Value>,
    count: usize,
    next: Next,
}

/// The page that comes next.
#[derive(PartialEq)]
enum Next {
    First,
    After(String),
    None,
}

impl Pages {
    fn of(list: List) -> Pages {
        Pages { list, items: Vec::new(), count: 0, next: Next::First }
    }

    /// The request for the next page.
    fn next(&self) -> Option<Ask> {
        let params: Map<String, Value> = match &self.next {
            Next::First => object([]),
            Next::After(cursor) => object([("cursor", cursor.as_str().into())]),
            Next::None => return None,
        };
        Some(Ask::new(self.list.method().0, params))
    }

    fn add(&mut self, page: Result<Value, Failure>) -> Result<(), Failure> {
        let mut page = match page {
            Ok(page) => page,
            // Servers have the capability and not all of its lists, such as templates.
            Err(Failure::Rpc(error)) if error.code == code::NO_METHOD && self.next == Next::First => {
                self.next = Next::None;
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        let (method, key) = self.list.method();
        let Some(Value::Array(items)) = page.get_mut(key).map(Value::take) else {
            return Err(Failure::Unreadable(format!("{method} without `{key}`.")));
        };
        self.items.extend(items);
        self.count += 1;
        let cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        let next = cursor.map_or(Next::None, Next::After);
        if next != Next::None && (self.next == next || self.count == MOST) {
            return Err(Failure::Unreadable(format!("{method} has no end.")));
        }
        self.next = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// B-204: to the last page, and a list without one is not followed for ever.
    #[test]
    fn pages_are_added_up_to_the_last_and_a_list_without_end_is_refused() {
        let mut pages = Pages::of(List::Tools);
        assert_eq!(pages.next().unwrap().params.get("cursor"), None);
        pages.add(Ok(json!({ "tools": [1, 2], "nextCursor": "b" }))).unwrap();
        assert_eq!(pages.next().unwrap().params["cursor"], "b");
        pages.add(Ok(json!({ "tools": [3] }))).unwrap();
        assert!(pages.next().is_none());
        assert_eq!(pages.items, [1, 2, 3]);
        let mut endless = Pages::of(List::Prompts);
        let page = json!({ "prompts": [], "nextCursor": "a" });
        endless.add(Ok(page.clone())).unwrap();
        assert!(endless.add(Ok(page)).is_err(), "the same page again");
        let mut growing = Pages::of(List::Tools);
        let pages = (0..).map(|n| json!({ "tools": [], "nextCursor": n.to_string() }));
        assert_eq!(pages.take_while(|page| growing.add(Ok(page.clone())).is_ok()).count(), MOST - 1);
        assert!(Pages::of(List::Tools).add(Ok(json!({}))).is_err());
    }
}
