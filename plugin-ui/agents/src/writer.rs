//! "Who wrote this", for a block of an open document.

use puppy_ui_web::host::{self, Host};
use puppy_ui_web::words::chinese;
use puppy_ui_web::words::runs::RunsWords;
use serde_json::{Map, json};

use crate::calls;
use crate::state::writer::Writer;

/// The title, the sentence, the text of the button that leads to the run, and the run, each on a line.
pub async fn told(host: &Host, block: &str) -> String {
    chinese::load(host.texts());
    let lang = host.lang();
    let words = RunsWords::of(&lang);
    let mut arguments = Map::new();
    arguments.insert("action".to_owned(), json!("info"));
    arguments.insert("id".to_owned(), json!(block));
    arguments.insert("writer".to_owned(), json!(true));
    let today = host::clock().today().date();
    let (text, run) = match calls::call(host, "block", arguments, None).await {
        Ok(data) => match Writer::of(data) {
            Some(writer) => (writer.sentence(words, &lang, &today), writer.run),
            None => (words.wrote_none.to_owned(), String::new()),
        },
        Err(why) => (puppy_ui_web::words::fill(words.failed, &[("why", &why)]), String::new()),
    };
    let text = text.replace(['\n', '\r'], " ");
    [words.who, &text, words.open_run, &run].join("\n")
}
