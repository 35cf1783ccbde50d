//! Handles requests of the puppy and of the page whose code does not load with SiYuan: names of places, coins, a setting, a
//! pause, levels in the document tree, the tools of SiYuan's own agent, and changes made elsewhere.

mod levels;
mod own_agent;
mod pause;
mod purse;
pub(crate) mod setting;

use crate::channel;
use crate::pages::report::send_report;
use puppy_ui_web::readable::Readable;
use puppy_ui_web::state::panel_request::{PanelRequest, PurseAnswer};

/// Handles a request; `None` on failure.
pub async fn run(request: &str) -> Option<String> {
    match PanelRequest::parse(request)? {
        PanelRequest::Purse => purse::look().await.map(PurseAnswer::to_text),
        PanelRequest::Buy(item) => purse::buy(item).await.map(PurseAnswer::to_text),
        PanelRequest::Place(notebook, doc) => Readable::read().await?.names(&notebook, doc.as_deref()).await,
        PanelRequest::Set(key, value) => setting::set(&key, &value).await,
        PanelRequest::Changed(files) => {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            channel::changed(&files).await;
            None
        }
        PanelRequest::Token(agent, hash) => Some(channel::token(&agent, &hash).await.to_text()),
        PanelRequest::EndErrands => {
            channel::end_errands();
            None
        }
        PanelRequest::Ask(question) => Some(channel::ask(&question).await.to_owned()),
        PanelRequest::OwnTools => own_agent::tools().await,
        PanelRequest::Report => send_report().await.map(|()| String::new()),
        PanelRequest::Levels => levels::list().await,
        PanelRequest::Level(notebook, level) => levels::set(&notebook, level).await,
        PanelRequest::Pause(is) => pause::pause(is).await,
    }
}
