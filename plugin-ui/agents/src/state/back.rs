//! The way back of a run: what is asked for, what the preview says, and what came of it.

use puppy_core::runs::put_back::{BackDeed, StayReason};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::runs::RunsWords;
use serde_json::{Map, Value, json};

/// The part of a run that goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackTarget {
    /// Everything.
    Run,
    /// A document, by its id.
    Document(String),
    /// The changes of one call, by its number.
    Call(usize),
}

impl BackTarget {
    /// The arguments of `system.put_back`.
    pub fn arguments(&self, run: &str) -> Map<String, Value> {
        let mut arguments = Map::new();
        arguments.insert("action".to_owned(), json!("put_back"));
        arguments.insert("run".to_owned(), json!(run));
        match self {
            BackTarget::Run => None,
            BackTarget::Document(id) => arguments.insert("document".to_owned(), json!(id)),
            BackTarget::Call(number) => arguments.insert("call".to_owned(), json!(number)),
        };
        arguments
    }
}

/// A document that stays, or whose blocks stay in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftPaper {
    /// Its title, or its id.
    pub title: String,
    /// The number of blocks that stay; 0 if it stays whole.
    pub blocks: usize,
    why: String,
}

impl LeftPaper {
    /// Why it stays, in the words of the page.
    pub fn reason(&self, words: &RunsWords) -> String {
        match StayReason::parse(&self.why) {
            Some(StayReason::Changed | StayReason::BlocksChanged) => words.changed_since,
            Some(StayReason::DatabaseChanged) => words.database_changed_since,
            Some(StayReason::Moved) => words.moved_since,
            Some(StayReason::Gone) => words.gone_since,
            Some(StayReason::BackAgain) => words.back_since,
            Some(StayReason::HasDocuments) => words.has_documents,
            Some(StayReason::NoPlace) => words.no_place,
            Some(StayReason::NoLevel) => words.no_level,
            Some(StayReason::Elsewhere) => words.elsewhere,
            Some(StayReason::NoVersion) => words.no_version,
            Some(StayReason::Unreadable) => words.unreadable,
            Some(StayReason::Unfinished) => words.unfinished,
            Some(StayReason::Irreversible) => words.irreversible,
            // A person is never told this, and nothing else is known.
            Some(StayReason::NotForAgents) | None => words.changed_since,
        }
        .to_owned()
    }
}

/// A document that goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackPaper {
    /// Its title, or its id.
    pub title: String,
    /// Its change, if this version of the page knows it.
    pub deed: Option<BackDeed>,
}

impl BackPaper {
    /// Its line, in the words of the page.
    pub fn line(&self, words: &RunsWords) -> String {
        let text = match self.deed {
            Some(BackDeed::Restored) => words.is_restored,
            Some(BackDeed::MovedBack) => words.is_moved_back,
            Some(BackDeed::Removed) => words.is_removed,
            Some(BackDeed::Rewritten) => words.gets_text,
            Some(BackDeed::DatabaseRestored) => words.gets_database,
            None => return self.title.clone(),
        };
        fill(text, &[("title", &self.title)])
    }
}

/// The changes that putting back would make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackPreview {
    /// The documents that go back, those that are removed first.
    pub goes: Vec<BackPaper>,
    /// Those that stay, whole or in part.
    pub left: Vec<LeftPaper>,
    /// The titles of those that go back also where somebody changed them since.
    pub overwrites: Vec<String>,
    /// The number of changes that no way leads back from.
    pub never: u64,
    /// Whether a part of putting back cannot be undone itself.
    pub is_final: bool,
    /// The plan that the person sees, as the gate compares it.
    pub plan: Map<String, Value>,
}

impl BackPreview {
    /// Reads the answer of a preview.
    pub fn of(data: Value) -> BackPreview {
        let Value::Object(mut plan) = data else { return BackPreview::default() };
        let is_final = plan.get("irreversible") == Some(&Value::Bool(true));
        // A preview adds these to its plan.
        for added in ["preview", "effect", "irreversible", "danger"] {
            plan.shift_remove(added);
        }
        let documents = plan.get("documents").and_then(Value::as_array).into_iter().flatten();
        let overwrites = documents.filter(|it| it.get("overwrites").is_some()).map(title).collect();
        BackPreview {
            goes: goes(plan.get("documents")),
            overwrites,
            left: left(plan.get("left")),
            never: plan.get("never").and_then(Value::as_u64).unwrap_or_default(),
            is_final,
            plan,
        }
    }
}

/// The outcome of putting back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackResult {
    /// The number of documents that went back.
    pub back: usize,
    /// Those that stayed.
    pub left: Vec<LeftPaper>,
    /// Those that should have gone back and did not.
    pub failed: Vec<String>,
}

impl BackResult {
    /// Reads the answer.
    pub fn of(data: &Value) -> BackResult {
        BackResult {
            back: data.get("put_back").and_then(Value::as_array).map_or(0, Vec::len),
            left: left(data.get("left")),
            failed: titles(data.get("failed")),
        }
    }
}

fn title(it: &Value) -> String {
    let text = |key: &str| it.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
    text("title").or_else(|| text("id")).unwrap_or_default().to_owned()
}

fn goes(list: Option<&Value>) -> Vec<BackPaper> {
    let deed = |it: &Value| BackDeed::parse(it.get("does").and_then(Value::as_str).unwrap_or_default());
    let paper = |it: &Value| BackPaper { title: title(it), deed: deed(it) };
    let mut all: Vec<BackPaper> = list.and_then(Value::as_array).into_iter().flatten().map(paper).collect();
    all.sort_by_key(|it| it.deed != Some(BackDeed::Removed));
    all
}

fn titles(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().map(title).collect()
}

fn left(list: Option<&Value>) -> Vec<LeftPaper> {
    let paper = |it: &Value| LeftPaper {
        title: title(it),
        blocks: it.get("blocks").and_then(Value::as_array).map_or(0, Vec::len),
        why: it.get("why").and_then(Value::as_str).unwrap_or_default().to_owned(),
    };
    list.and_then(Value::as_array).into_iter().flatten().map(paper).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_named() {
        let documents = json!([{ "title": "Beds", "overwrites": true }, { "title": "Paths" }]);
        let preview = BackPreview::of(json!({ "documents": documents }));
        let titles: Vec<&str> = preview.goes.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(titles, ["Beds", "Paths"]);
        assert_eq!(preview.overwrites, ["Beds"]);
    }

    #[test]
    fn each_level_names_what_goes_back() {
        let arguments = |target: BackTarget| Value::Object(target.arguments("r"));
        assert_eq!(arguments(BackTarget::Run), json!({ "action": "put_back", "run": "r" }));
        let document = arguments(BackTarget::Document("d".to_owned()));
        assert_eq!(document, json!({ "action": "put_back", "run": "r", "document": "d" }));
        assert_eq!(arguments(BackTarget::Call(3)), json!({ "action": "put_back", "run": "r", "call": 3 }));
    }

    /// The person agrees to the plan without what the preview adds to it.
    #[test]
    fn a_preview_is_its_plan_in_words() {
        let plan = json!({
            "would": "put back",
            "documents": [{ "id": "a", "title": "Beds", "does": "is restored" }],
            "left": [{ "id": "b", "title": "Paths", "why": "somebody moved it since" },
                { "id": "a", "title": "Beds", "blocks": ["x", "y"] }],
            "never": 2,
        });
        let mut data = plan.clone();
        let added = json!({ "preview": true, "effect": "deletes", "irreversible": true, "danger": "Puts 1 document back." });
        data.as_object_mut().unwrap().extend(added.as_object().unwrap().clone());
        let preview = BackPreview::of(data);
        assert_eq!((Value::Object(preview.plan.clone()), preview.is_final), (plan, true));
        let lines: Vec<String> = preview.goes.iter().map(|it| it.line(RunsWords::of("en"))).collect();
        assert_eq!((lines, preview.never), (vec!["Beds: is restored".to_owned()], 2));
        let words = RunsWords::of("en");
        let left: Vec<_> =
            preview.left.iter().map(|it| (it.title.as_str(), it.blocks, it.reason(words))).collect();
        let (moved, changed) = (words.moved_since.to_owned(), words.changed_since.to_owned());
        assert_eq!(left, [("Paths", 0, moved), ("Beds", 2, changed)]);
        assert_eq!(BackPreview::of(json!([])), BackPreview::default());
    }

    #[test]
    fn the_result_counts_what_went_back() {
        let data =
            json!({ "put_back": [{ "id": "a" }], "failed": [{ "id": "b", "title": "Shed" }], "left": [] });
        let result = BackResult::of(&data);
        assert_eq!((result.back, result.failed.as_slice()), (1, ["Shed".to_owned()].as_slice()));
        assert_eq!(BackResult::of(&json!({})), BackResult::default());
    }
}
