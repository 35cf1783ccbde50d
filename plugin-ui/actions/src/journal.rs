//! The record of the calls of SiYuan's own agent: coins, events for the puppy and analytics, as servers keep them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use puppy_core::activity::journal::Journal;
use puppy_core::activity::{CallEnd, Observer, Outcome, Record, Transport, instance};
use puppy_core::kernel::Ambient as _;
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::message::Message;

use crate::kernel::PatientKernel;
use crate::own_page;

/// The time between an event and its write: a call that takes less costs one write.
const LEAD_MS: u32 = 20;
/// The shortest interval between two writes.
const EVERY_MS: u32 = 1_000;

thread_local! {
    static JOURNAL: RefCell<Option<Rc<Journal>>> = const { RefCell::new(None) };
    static HAS_NEWS: Cell<bool> = const { Cell::new(false) };
    static IS_WRITING: Cell<bool> = const { Cell::new(false) };
}

/// The observer of all calls in the page. Those of a person are not recorded: coins and activity are those of agents.
#[derive(Debug)]
pub(crate) struct Recorder;

impl Observer for Recorder {
    fn started(&self, record: &Record) {
        if let Some(journal) = journal(record) {
            journal.started(record);
            wake();
        }
    }

    fn asked(&self, record: &Record, so_far: &CallEnd) {
        if let Some(journal) = journal(record) {
            journal.asked(record, so_far);
            wake();
        }
    }

    fn ended(&self, record: &Record, ended: &CallEnd) {
        let Some(journal) = journal(record) else { return };
        journal.ended(record, ended);
        wake();
        let level = ended.level.filter(|_| ended.outcome == Outcome::Success);
        if let (Some(level), Some(page)) = (level, own_page::page()) {
            let [doc, block] = [&ended.doc, &ended.block].map(|it| it.as_deref().unwrap_or_default());
            page.touched(doc, block, level.word());
        }
    }
}

/// The journal for a call; none for the call of a person.
fn journal(record: &Record) -> Option<Rc<Journal>> {
    if record.transport != Transport::Siyuan {
        return None;
    }
    let new = || Rc::new(Journal::new(instance(PageKernel.now_ms(), PageKernel.random())));
    Some(JOURNAL.with_borrow_mut(|it| it.get_or_insert_with(new).clone()))
}

/// Writes what is new: shortly after a pause, then at a limited rate.
fn wake() {
    HAS_NEWS.set(true);
    if IS_WRITING.replace(true) {
        return;
    }
    host::spawn(async {
        while HAS_NEWS.replace(false) {
            host::sleep(LEAD_MS).await;
            let Some(journal) = JOURNAL.with_borrow(Clone::clone) else { break };
            // A failed write is made up for by the next one.
            let _ = journal.write(&PatientKernel, None).await;
            if let Some(page) = own_page::page() {
                page.tell_puppy(Message::Stir);
            }
            host::sleep(EVERY_MS).await;
        }
        IS_WRITING.set(false);
    });
}

/// Releases the coins to the next process, once no more calls come.
pub(crate) async fn rest() {
    if let Some(journal) = JOURNAL.take().filter(|it| it.is_used()) {
        let _ = journal.release(&PatientKernel).await;
        let _ = journal.finish(&PatientKernel).await;
    }
}
