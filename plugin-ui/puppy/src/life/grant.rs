//! Grants the wishes of the puppy's features. Nothing else changes the puppy or sends requests.

use std::rc::Rc;

use puppy_core::activity::shop::ShopItem;

use super::{Counters, GREETS, Life, with};
use crate::card::{Card, CardFacts};
use crate::menu::{self, MenuFacts};
use crate::notice;
use crate::state::puppy::Puppy;
use crate::touch::MENU_OPEN;
use crate::wish::{CardPage, PlaceIds, Point, Wish};
use puppy_ui_web::host;
use puppy_ui_web::state::panel_request::{PanelRequest, PurseAnswer};

impl Life {
    pub(super) fn grant(self: &Rc<Self>, wish: Wish) {
        match wish {
            Wish::OpenCard(page) => self.open_card(page, Card::focus),
            Wish::ShowWage => self.open_card(CardPage::Wage, Card::expire),
            Wish::CloseCard => self.card.close(),
            Wish::LeaveCard => {
                self.card.close();
                self.view.node.focus();
            }
            Wish::ExpireCard if self.card.is_in_use() => self.card.expire(),
            Wish::ExpireCard => self.card.close(),
            Wish::OpenMenu(at) => self.open_menu(at),
            Wish::OpenPanel(page) => self.host.open_panel(page),
            Wish::OpenRun => {
                self.touch(|puppy, _| puppy.level_mound());
                self.host.open_panel("activity run");
            }
            Wish::Buy(item) => self.buy(item),
            Wish::Pause(is) => self.host.pause(is),
            Wish::EndErrands => {
                let host = self.host.share();
                host::spawn(async move { drop(host.request(&PanelRequest::EndErrands).await) });
            }
            Wish::Hide(hours) => self.hide(hours),
            Wish::Pet if self.view.node.has(GREETS) => {
                self.greets_until.set(1);
                self.tick();
                self.host.open_panel("home");
            }
            Wish::Pet => self.touch(Puppy::pet),
            Wish::Lift => {
                self.card.close();
                self.view.node.set("data-dragging", "true");
                self.touch(Puppy::drag);
            }
            Wish::Drag(at) => self.position.put(at),
            Wish::Land => {
                self.position.settle(Some(self.position.at()));
                self.set_down();
            }
            Wish::PutBack(from) => {
                self.position.put(from);
                self.set_down();
            }
            Wish::Move(at) => {
                self.position.settle(at);
                self.place_card();
            }
            Wish::LookAt(pointer) => {
                let follows = {
                    let settings = self.settings.borrow();
                    settings.follow && !settings.calm && !host::wants_calm()
                };
                self.notice.look_at(&self.position, Some(pointer).filter(|_| follows));
            }
            Wish::MindCaret => self.notice.mind_caret(self.covers_caret()),
            Wish::Fade if self.covers_caret() => self.notice.fade(),
            Wish::Fade => {}
            Wish::ShowTip(true) if self.view.node.has(GREETS) => {}
            Wish::ShowTip(true) => self.speech.tip(Some(&self.summary())),
            Wish::ShowTip(false) => self.speech.tip(None),
            Wish::NamePlace(ids) => self.name_place(ids),
            Wish::Refresh => self.tick(),
        }
    }

    fn set_down(self: &Rc<Self>) {
        self.view.node.set("data-dragging", "false");
        self.touch(Puppy::land);
    }

    fn covers_caret(&self) -> bool {
        self.settings.borrow().fade && notice::covers_caret(&self.position)
    }

    /// Opens the menu; keys of the host work in it.
    fn open_menu(self: &Rc<Self>, at: Point) {
        if self.view.node.has(MENU_OPEN) {
            return;
        }
        self.view.node.set(MENU_OPEN, "true");
        self.card.close();
        let life = self.clone();
        host::spawn(async move {
            // Without a sidecar nobody writes the balance into the events.
            if !life.counters.get().is_loaded {
                life.ask_purse(&PanelRequest::Purse).await;
            }
            let lines = menu::lines(MenuFacts {
                words: life.words,
                summary: &life.summary(),
                balance: life.counters.get().balance,
                readonly: life.host.readonly(),
                is_paused: life.puppy.borrow().is_paused(),
                has_mound: life.puppy.borrow().has_mound(),
                has_bag: life.view.has_bag(),
            });
            let picked = life.host.menu(&lines, at.0, at.1).await;
            life.view.node.unset(MENU_OPEN);
            if let Some(wish) = picked.and_then(|id| menu::wish(&id)) {
                life.grant(wish);
            }
        });
    }

    /// Opens the card, and then does something with it.
    fn open_card(self: &Rc<Self>, page: CardPage, then: fn(&Card)) {
        let life = self.clone();
        host::spawn(async move {
            let answer = life.ask_purse(&PanelRequest::Purse).await;
            life.show_card(page, answer.is_some());
            then(&life.card);
        });
    }

    fn show_card(&self, page: CardPage, is_current: bool) {
        let Counters { balance, today, .. } = self.counters.get();
        self.card.show(
            page,
            CardFacts {
                words: self.words,
                puppy: self.states.puppy,
                balance,
                today,
                mood: self.mood(),
                readonly: self.host.readonly(),
                wears: self.puppy.borrow().wears(),
                is_current,
            },
        );
        self.place_card();
    }

    fn place_card(&self) {
        self.card.place(self.position.at(), self.position.size());
    }

    /// Buys one and gives it; the card, if it is open, says what is left.
    fn buy(self: &Rc<Self>, item: ShopItem) {
        let life = self.clone();
        host::spawn(async move {
            let answer = life.ask_purse(&PanelRequest::Buy(item)).await;
            if answer.is_some_and(|it| it.bought) {
                life.touch(|puppy, now| puppy.treat(now, item));
            }
            if let Some(page) = life.card.page() {
                life.show_card(page, answer.is_some());
                life.card.focus_item(item);
            } else if answer.is_none() {
                life.host.say(life.words.not_bought);
            }
        });
    }

    /// Has a request of coins done and keeps the balance; nothing where the kernel is silent.
    async fn ask_purse(&self, request: &PanelRequest) -> Option<PurseAnswer> {
        let answer = PurseAnswer::parse(&self.host.request(request).await?)?;
        self.counters.set(Counters { balance: answer.balance, ..self.counters.get() });
        Some(answer)
    }

    fn name_place(self: &Rc<Self>, ids: PlaceIds) {
        let (weak, host) = (Rc::downgrade(self), self.host.share());
        host::spawn(async move {
            let name = host.request(&PanelRequest::Place(ids.0.clone(), ids.1.clone())).await;
            with(&weak, |life| {
                if name.is_some_and(|name| life.speech.learn_name(ids, name)) {
                    life.tick();
                }
            });
        });
    }
}
