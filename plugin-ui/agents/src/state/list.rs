//! The runs as `system.list_runs` tells them, and what a line says of each.

use puppy_ui_web::words::fill;
use puppy_ui_web::words::runs::RunsWords;
use serde::Deserialize;
use serde_json::Value;

/// A page of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RunList {
    /// The runs, the newest first.
    pub items: Vec<RunItem>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RunItem {
    /// Its id.
    pub run: String,
    /// The name of the agent, `you` or `a person`.
    pub author: String,
    /// When it began, in local time.
    pub started: String,
    /// The time of its latest change.
    pub latest: String,
    /// Some of its documents.
    pub documents: Vec<RunPaper>,
    /// The number of all its documents.
    pub n_documents: usize,
    /// The number of changed rows of databases.
    pub rows: usize,
    /// The number of changed files.
    pub files: usize,
    /// The newest of its calls.
    pub calls: Vec<RunCall>,
    /// The number of all its calls.
    pub n_calls: usize,
    /// The run that it put back, if it did nothing else.
    pub puts_back: String,
    /// Whether another run put something of it back.
    pub is_put_back: bool,
}

/// A document of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RunPaper {
    /// Its id.
    pub id: String,
    /// Its title; none for one that is not there any more.
    pub title: Option<String>,
    /// Its change, in a word.
    pub was: String,
    /// The version from before the run.
    pub version: Option<String>,
}

/// A call of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RunCall {
    /// Its number in the run.
    pub call: usize,
    /// Its time.
    pub at: String,
    /// The path of its action.
    pub action: String,
    /// The ids of its documents.
    pub documents: Vec<String>,
}

impl RunList {
    /// Reads an answer; `None` for one of another form.
    pub fn of(data: Value) -> Option<RunList> {
        serde_json::from_value(data).ok()
    }
}

impl RunItem {
    /// Its part in putting back; empty for none.
    pub fn mark(&self, words: &RunsWords) -> &'static str {
        match (self.puts_back.is_empty(), self.is_put_back) {
            (false, _) => words.puts_back,
            (true, true) => words.is_put_back,
            (true, false) => "",
        }
    }

    /// Its documents and changes in a sentence.
    pub fn sentence(&self, words: &RunsWords) -> String {
        let kinds = [
            ("changed", words.n_changed),
            ("created", words.n_created),
            ("moved", words.n_moved),
            ("removed", words.n_removed),
            ("unfinished", words.n_unfinished),
        ];
        let of = |was: &str| self.documents.iter().filter(|it| it.was == was).count();
        let kinds = kinds.map(|(was, text)| (of(was), text, text));
        let others = [(self.rows, words.n_row, words.n_rows), (self.files, words.n_file, words.n_files)];
        let parts = kinds.into_iter().chain(others).filter(|it| it.0 > 0);
        let parts: Vec<String> = parts
            .map(|(n, one, many)| fill(if n == 1 { one } else { many }, &[("n", &n.to_string())]))
            .collect();
        let documents = words.counted(self.n_documents, words.document, words.documents);
        let changes = words.counted(self.n_calls, words.change, words.changes);
        let counts =
            if self.n_calls == 0 { documents } else { format!("{documents}{}{changes}", words.comma) };
        if parts.is_empty() { counts } else { format!("{counts}{}{}", words.colon, parts.join(words.comma)) }
    }

    /// The titles of a call's documents, and the number of those that have none here.
    pub fn documents_of(&self, call: &RunCall, words: &RunsWords) -> String {
        let known = self.documents.iter().filter(|it| call.documents.contains(&it.id));
        let mut titles: Vec<String> = known.filter_map(|it| it.title.clone()).collect();
        let more = call.documents.len().saturating_sub(titles.len());
        if titles.is_empty() {
            return if more == 0 {
                String::new()
            } else {
                words.counted(more, words.document, words.documents)
            };
        }
        if more > 0 {
            titles.push(words.counted(more, words.more_document, words.more_documents));
        }
        titles.join(words.comma)
    }

    /// Its maker, in the words of the page: an agent has the name that it gave itself.
    pub fn maker(&self, words: &RunsWords) -> String {
        maker(&self.author, words)
    }
}

/// The maker of a change, in the words of the page.
pub fn maker(author: &str, words: &RunsWords) -> String {
    match author {
        "you" => words.you.to_owned(),
        "a person" => words.a_person.to_owned(),
        "" | "an agent" => words.an_agent.to_owned(),
        name => name.to_owned(),
    }
}

/// A local time such as `2026-11-27T14:20:11+01:00`, for a day on which it is `today`.
pub fn when(stamp: &str, today: &str) -> String {
    let (date, time) = stamp.split_once(['T', ' ']).unwrap_or((stamp, ""));
    let time = time.get(..5).unwrap_or(time);
    if date == today { time.to_owned() } else { format!("{date} {time}").trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(more: &Value) -> RunItem {
        let mut run = json!({ "run": "r", "author": "Claude", "documents": [
            { "id": "a", "title": "Beds", "was": "changed", "version": "v" },
            { "id": "b", "was": "removed" },
            { "id": "c", "title": "New", "was": "created" },
        ], "n_documents": 3, "n_calls": 5 });
        run.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let list = RunList::of(json!({ "items": [run], "next": "r" })).unwrap();
        assert_eq!(list.next.as_deref(), Some("r"));
        list.items.into_iter().next().unwrap()
    }

    #[test]
    fn a_line_says_what_a_run_did() {
        let (en, zh) = (RunsWords::of("en"), RunsWords::of("zh_CN"));
        let run = item(&json!({ "rows": 4 }));
        assert_eq!(
            run.sentence(en),
            "3 documents, 5 changes: 1 changed, 1 created, 1 removed, 4 database rows"
        );
        assert!(run.sentence(zh).starts_with("3 个文档，5 项更改："), "{}", run.sentence(zh));
        let bare = RunItem { n_documents: 1, ..RunItem::default() };
        assert_eq!(bare.sentence(en), "1 document");
    }

    #[test]
    fn a_change_names_its_documents() {
        let words = RunsWords::of("en");
        let run = item(&json!({ "calls": [
            { "call": 0, "action": "fs.write", "documents": ["a", "c"] },
            { "call": 1, "action": "document.remove", "documents": ["b"] },
            { "call": 2, "action": "block.move", "documents": ["a", "b", "elsewhere"] },
            { "call": 3, "action": "tag.rename" },
        ] }));
        let named: Vec<String> = run.calls.iter().map(|it| run.documents_of(it, words)).collect();
        assert_eq!(named, ["Beds, New", "1 document", "Beds, 2 more documents", ""]);
    }

    #[test]
    fn a_line_says_what_was_put_back() {
        let words = RunsWords::of("en");
        let mark = |more: Value| item(&more).mark(words);
        assert_eq!(mark(json!({})), "");
        assert_eq!(mark(json!({ "is_put_back": true })), "put back");
        assert_eq!(mark(json!({ "puts_back": "r", "is_put_back": true })), "put a run back");
    }

    /// An agent may call itself what it likes; a person is named by us.
    #[test]
    fn persons_are_named_in_the_language_of_the_page() {
        let zh = RunsWords::of("zh_CN");
        assert_eq!(item(&json!({})).maker(zh), "Claude");
        assert_eq!(item(&json!({ "author": "you" })).maker(zh), zh.you);
        assert_eq!(item(&json!({ "author": "an agent" })).maker(zh), zh.an_agent);
    }

    #[test]
    fn the_time_of_today_has_no_date() {
        let stamp = "2026-11-27T14:20:11+01:00";
        assert_eq!(when(stamp, "2026-11-27"), "14:20");
        assert_eq!(when(stamp, "2026-11-28"), "2026-11-27 14:20");
        for odd in ["", "x", "2026-11-27", "2026-11-27T1"] {
            assert!(when(odd, "2026-11-28").len() <= odd.len() + 1, "{odd}");
        }
    }

    #[test]
    fn an_answer_of_another_form_is_no_list() {
        assert_eq!(RunList::of(json!({})), Some(RunList::default()));
        assert_eq!((RunList::of(json!({ "items": "none" })), RunList::of(json!(7))), (None, None));
    }
}
