//! Removes everything that this plugin has saved, after a confirmation (B-239).

use leptos::prelude::*;
use puppy_core::clients::Client;
use puppy_core::kernel::api::file;
use puppy_core::kernel::{KernelError, ask, files};
use puppy_ui_parts::{Button, Card, Group, Hint, Pre, Row};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::fill;

use super::AdvancedSignals;

/// The beginning of the keys under which this device remembers things.
const REMEMBERED: &str = "siyuan-mcp-puppy";
/// An entry of SiYuan's assistant that none is alike: only the name of ours counts.
const NO_ENTRY: &str = r#"{"command":"","args":[]}"#;

/// The group with the removal.
#[component]
pub(super) fn Removal(page: AdvancedSignals) -> AnyView {
    let words = page.words;
    let below = view! {
        <div>
            <Hint text=words.remove_hint/>
            <div class="pup-snippet"><Pre text=commands()/></div>
        </div>
    };
    view! {
        <Group title=words.uninstall>
            <Card>
                <Row key="remove" name=words.remove below=below.into_any()>
                    <Button
                        name="remove"
                        text=words.remove_button
                        disabled=page.store.readonly
                        press=move |_| page.ask_and_remove()
                    />
                </Row>
            </Card>
        </Group>
    }
    .into_any()
}

/// The commands that take the entry out of the clients that called from this device, or one that lists them all.
fn commands() -> String {
    let called = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(Client::id);
    let called = called.filter(|id| host::remembered(&format!("{REMEMBERED}-called-{id}")).is_some());
    let lines: Vec<String> = called.map(|id| format!("siyuan-puppy uninstall {id}")).collect();
    if lines.is_empty() { "siyuan-puppy list".to_owned() } else { lines.join("\n") }
}

impl AdvancedSignals {
    fn ask_and_remove(self) {
        let Some(host) = self.store.host() else { return };
        host::spawn(async move {
            if !host.confirm(self.words.remove, self.words.remove_ask).await {
                return;
            }
            // The server first: it would rewrite its files.
            host.server("purge").await;
            if ["present", "differs"].contains(&host.assistant("look", NO_ENTRY).await.as_str()) {
                host.assistant("remove", NO_ENTRY).await;
            }
            let removed = remove_files().await;
            let why = |why| fill(self.words.not_removed, &[("why", self.store.words.why(why))]);
            if removed.is_ok() {
                host::forget(REMEMBERED);
                self.store.start_over();
            }
            host.say(&removed.err().map_or_else(|| self.words.removed.to_owned(), why));
            self.read();
        });
    }
}

async fn remove_files() -> Result<(), StorageTrouble> {
    for folder in [files::STORAGE, files::TEMP] {
        match ask(&PageKernel, file::remove_file(folder.trim_end_matches('/'))).await {
            Ok(()) | Err(KernelError::Code(404, _)) => {}
            Err(why) => return Err(why.into()),
        }
    }
    Ok(())
}
