//! The values that all parts of the page of agents share, and the saving of their file.

use leptos::prelude::*;
use puppy_core::agents::token::{token, token_hash};
use puppy_core::agents::{AGENTS_FILE, AgentChange, AgentRefusal, Agents, AgentsFile, NamedAgent, day_of};
use puppy_core::kernel::Ambient as _;
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::permission::Closed;
use puppy_ui_parts::Copies;
use puppy_ui_web::host::channel::secret_bytes;
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::kernel::{PageKernel, notebooks};
use puppy_ui_web::state::panel_request::{PanelRequest, TokenAnswer};
use puppy_ui_web::state::trouble::{Load, StorageTrouble};
use puppy_ui_web::words::agents::AgentWords;
use puppy_ui_web::words::{PanelWords, fill};

use crate::state::ceilings;

/// A token that was issued on this page, until the person is done with it.
#[derive(Clone, PartialEq)]
pub(crate) struct IssuedToken {
    /// The id of the agent.
    pub(crate) agent: String,
    pub(crate) token: String,
    /// The address of the server that keeps it.
    pub(crate) url: String,
}

/// The room of one opened page.
#[derive(Clone, Copy)]
pub(crate) struct AgentsRoom {
    pub(crate) words: &'static AgentWords,
    /// The texts of the panel.
    pub(crate) panel: &'static PanelWords,
    /// Whether the kernel refuses every write.
    pub(crate) readonly: bool,
    pub(crate) load: RwSignal<Load>,
    /// The file as the page shows it; what waits to be saved is in it.
    pub(crate) agents: RwSignal<Agents>,
    pub(crate) notebooks: RwSignal<Vec<Notebook>>,
    /// The outcome of what the person did last, and whether it failed.
    pub(crate) said: RwSignal<(String, bool)>,
    pub(crate) issued: RwSignal<Option<IssuedToken>>,
    /// The id of the agent that was added last; its settings are open.
    pub(crate) added: RwSignal<String>,
    pub(crate) copies: Copies,
    file: StoredValue<AgentsFile>,
    /// The changes that wait for the present write to end.
    waiting: StoredValue<Vec<AgentChange>>,
    is_saving: StoredValue<bool>,
    host: StoredValue<Host, LocalStorage>,
}

impl AgentsRoom {
    pub(crate) fn new(host: &Host) -> AgentsRoom {
        let lang = host.lang();
        let shared = StoredValue::new_local(host.share());
        AgentsRoom {
            words: AgentWords::of(&lang),
            panel: PanelWords::of(&lang),
            readonly: host.readonly(),
            load: RwSignal::new(Load::Loading),
            agents: RwSignal::new(Agents::default()),
            notebooks: RwSignal::new(Vec::new()),
            said: RwSignal::default(),
            issued: RwSignal::new(None),
            added: RwSignal::default(),
            copies: Copies::new(&lang, shared),
            file: StoredValue::new(AgentsFile::default()),
            waiting: StoredValue::new(Vec::new()),
            is_saving: StoredValue::new(false),
            host: shared,
        }
    }

    /// The [`Host`], while the page is open.
    pub(crate) fn host(self) -> Option<Host> {
        self.host.try_with_value(Host::share)
    }

    /// The day of the local calendar.
    pub(crate) fn today() -> String {
        day_of(&PageKernel.local_digits())
    }

    /// The agent with this id.
    pub(crate) fn agent(self, id: &str) -> Option<NamedAgent> {
        self.agents.try_with(|all| all.get(id).cloned()).flatten()
    }

    /// Reads the agents and the notebooks.
    pub(crate) fn read(self) {
        host::spawn(async move {
            let read = async {
                Ok((AgentsFile::read(&PageKernel).await?, notebooks().await.map_err(Closed::Kernel)?))
            };
            let load = match read.await {
                Ok((file, notebooks)) => {
                    self.notebooks.try_set(notebooks);
                    self.show(file);
                    Load::Ready
                }
                Err(Closed::Kernel(why)) => Load::Trouble(why.into()),
                Err(Closed::Malformed(_)) => Load::Trouble(StorageTrouble::Broken),
            };
            self.load.try_set(load);
        });
    }

    fn show(self, file: AgentsFile) {
        self.agents.try_set(file.agents());
        self.file.try_set_value(file);
    }

    /// Says something to the person, who sees it below the list; a screen reader reads it.
    pub(crate) fn say(self, text: impl Into<String>) {
        self.said.try_set((text.into(), false));
    }

    pub(crate) fn say_failure(self, text: impl Into<String>) {
        self.said.try_set((text.into(), true));
    }

    /// Changes one agent and saves it; `false` if the change was refused.
    pub(crate) fn edit(self, id: &str, edit: impl FnOnce(&mut NamedAgent)) -> bool {
        let Some(mut agent) = untrack(|| self.agent(id)) else { return false };
        edit(&mut agent);
        self.change(ceilings::set(&agent))
    }

    /// Shows a change, and saves it; `false` if it was refused.
    pub(crate) fn change(self, change: AgentChange) -> bool {
        let Some(mut file) = self.file.try_get_value() else { return false };
        if let Err(why) = file.change(change.clone()) {
            self.refuse(why);
            return false;
        }
        self.said.try_set((String::new(), false));
        self.show(file);
        self.waiting.update_value(|it| it.push(change));
        if !self.is_saving.get_value() {
            self.is_saving.set_value(true);
            host::spawn(async move {
                self.save().await;
                self.is_saving.try_set_value(false);
            });
        }
        true
    }

    fn refuse(self, why: AgentRefusal) {
        self.say_failure(ceilings::refusal(self.words, why));
    }

    /// Makes the waiting changes in the file as it is now, which another window may have changed.
    async fn save(self) {
        loop {
            let changes = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
            if changes.is_empty() {
                return;
            }
            let saved = async {
                let mut file = AgentsFile::read(&PageKernel).await?;
                let refused = changes.into_iter().filter_map(|it| file.change(it).err()).next();
                file.write(&PageKernel).await?;
                Ok((file, refused))
            };
            match saved.await {
                Ok((file, refused)) => {
                    if self.waiting.try_with_value(Vec::is_empty).unwrap_or_default() {
                        self.show(file);
                    }
                    refused.into_iter().for_each(|why| self.refuse(why));
                    if let Some(host) = self.host() {
                        host.request(&PanelRequest::Changed(vec![AGENTS_FILE.to_owned()])).await;
                    }
                }
                Err(why) => {
                    let why = match why {
                        Closed::Kernel(why) => self.panel.why(why.into()),
                        Closed::Malformed(_) => self.words.broken,
                    };
                    self.say_failure(fill(self.words.not_saved, &[("why", why)]));
                    self.waiting.try_update_value(Vec::clear);
                    self.read();
                    return;
                }
            }
        }
    }

    /// Issues a token for an agent in place of the one that it had, and shows it once.
    pub(crate) fn issue(self, agent: String) {
        host::spawn(async move {
            let token = token(&agent, secret_bytes());
            match self.send_hash(&agent, token_hash(&token)).await {
                TokenAnswer::Kept(url) => {
                    self.issued.try_set(Some(IssuedToken { agent, token, url }));
                    self.say(self.words.token_shown);
                }
                TokenAnswer::Nowhere => self.say_failure(self.words.token_nowhere),
                TokenAnswer::Late => self.say_failure(self.words.token_late),
            }
        });
    }

    /// Ends the token of an agent on every machine, once the person agrees.
    pub(crate) fn end_token(self, agent: NamedAgent) {
        host::spawn(async move {
            let Some(host) = self.host() else { return };
            let words = self.words;
            let name = [("name", agent.name.as_str())];
            if !host.confirm(words.end_title, &fill(words.end_ask, &name)).await {
                return;
            }
            // Removing the hash ends streams. The new id makes tokens on other machines useless.
            self.send_hash(&agent.id, String::new()).await;
            let to = AgentsFile::new_id(PageKernel.random());
            if self.change(AgentChange::NewId { from: agent.id.clone(), to }) {
                self.issued.try_set(None);
                self.say(fill(words.token_ended, &name));
            }
        });
    }

    /// Removes an agent and its token, once the person agrees.
    pub(crate) fn remove(self, agent: NamedAgent) {
        host::spawn(async move {
            let Some(host) = self.host() else { return };
            let title = fill(self.words.remove_title, &[("name", &agent.name)]);
            if host.confirm(&title, self.words.remove_ask).await {
                self.change(AgentChange::Remove(agent.id.clone()));
                self.send_hash(&agent.id, String::new()).await;
            }
        });
    }

    async fn send_hash(self, agent: &str, hash: String) -> TokenAnswer {
        let Some(host) = self.host() else { return TokenAnswer::Late };
        let answer = host.request(&PanelRequest::Token(agent.to_owned(), hash)).await;
        TokenAnswer::parse(&answer.unwrap_or_default())
    }
}
