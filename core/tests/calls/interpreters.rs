//! No text of an agent reaches one of SiYuan's interpreters as it was written.
//!
//! The walk takes each example of each action, puts a hostile text into each argument that an interpreter reads, and
//! looks at every request that follows. An argument without interpreters does not compile, so a new way in is walked.

use std::collections::BTreeSet;

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Effect, Interpreter, Kind, Param};
use serde_json::{Map, Value, json};
use sqlite3_parser::dialect::TokenType;
use sqlite3_parser::lexer::Scanner;
use sqlite3_parser::lexer::sql::Tokenizer;

use crate::examples::{NOT_IN_EXAMPLES, examples, with_action, world};
use crate::kernel::Nobody;
use crate::world;

/// A word that no note contains.
const MARK: &str = "zqmark";

/// A template whose text is an attribute list only once a value stands in it.
const JOINED_BY_VALUES: &str = "{.action{print \":\"}{{print \":\"}} memo='zqmark'}";

/// Texts that an interpreter would run if they reached it as they are.
fn hostile(interpreter: Interpreter) -> &'static [&'static str] {
    match interpreter {
        Interpreter::Markdown => &["x\n{: id=\"20200101000000-zqmark0\" custom-sy-zqmark=\"1\"}"],
        Interpreter::Html => &[
            "<img src=x onerror=zqmark()>",
            "<form action=zqmark><button>x</button></form>",
            "<iframe src=zqmark width=1></iframe>",
            "<b style=position:fixed;--zqmark:1>x</b>",
        ],
        Interpreter::Css => &[
            "x\n{: style=\"position:fixed;z-index:9;--zqmark:1\"}",
            "<span style=\"position:fixed;--zqmark:1\">x</span>",
        ],
        Interpreter::Embed => &[
            "{{SELECT 1 /*'*/; UPDATE blocks SET box='zqmark' /*'*/}}",
            "{{SELECT zqmark FROM blocks_fts}}",
            "{{SELECT 1&#59 DELETE FROM zqmark}}",
        ],
        Interpreter::Script => &[
            "{{//!js zqmark()}}",
            "[x](javascript:zqmark())",
            "[x](&#1;javascript:zqmark())",
            "[x](file:///zqmark)",
            "[x](x.y:0zqmark)",
        ],
        Interpreter::Drawing => &[
            "```echarts\nzqmark()\n```",
            "```abc\n%%params zqmark()\nX:1\n```",
            "```graphviz\ndigraph { zqmark [URL=\"javascript:zqmark()\"] }\n```",
            "$\\href{javascript:zqmark()}{x}$",
        ],
        Interpreter::Template => &[
            ".action{querySQL \"zqmark\"}{{querySQL \"zqmark\"}}",
            "a.action{print `\n\n`}{{//!js zqmark}}",
            JOINED_BY_VALUES,
        ],
        Interpreter::Sql => &[
            "zqmark' OR zqmark --",
            "zqmark\" OR zqmark --",
            "SELECT 1; DROP TABLE zqmark",
            "SELECT zqmark FROM main.blocks",
        ],
        Interpreter::FullText => &["zqmark') AND 1 --", "{id path}:(zqmark"],
        Interpreter::Regex => &["zqmark' OR zqmark --"],
    }
}

/// The same for an argument that is a style, or a part of one.
const STYLES: &[&str] = &["color:red;position:fixed;--zqmark:1", "assets/zqmark.png);position:fixed;x:url("];

/// The same for a name or a cell: the page shows its own markup behind it.
const NAMES: &[&str] = &["<textarea>zqmark", "<!-- zqmark", "<iframe zqmark", "<b title='zqmark"];

/// A place in the arguments of a call that interpreters read.
struct Place {
    pointer: String,
    kind: Kind,
    read_by: &'static [Interpreter],
}

impl Place {
    fn hostile(&self) -> impl Iterator<Item = (Interpreter, &'static str)> {
        let is_style = matches!(self.read_by, [Interpreter::Css]) || self.kind == Kind::Attrs;
        let names = if self.read_by == [Interpreter::Html] { NAMES } else { &[] };
        let names = names.iter().map(|text| (Interpreter::Html, *text));
        let others = self.read_by.iter().flat_map(move |it| {
            let texts = if is_style && *it == Interpreter::Css { STYLES } else { hostile(*it) };
            texts.iter().map(|text| (*it, *text))
        });
        others.chain(names)
    }
}

/// The places of an argument, as far as the value has them.
fn places(at: &str, kind: Kind, read_by: &'static [Interpreter], value: &Value, out: &mut Vec<Place>) {
    match (kind, value) {
        (Kind::List { item, .. }, Value::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                places(&format!("{at}/{index}"), *item, read_by, value, out);
            }
        }
        (Kind::Record(params), Value::Object(fields)) => {
            for param in params {
                if let Some(value) = fields.get(param.name) {
                    places(&format!("{at}/{}", param.name), param.kind, param.read_by, value, out);
                }
            }
        }
        _ if read_by.is_empty() => {}
        (Kind::Attrs | Kind::Object, _) => {
            let names = value.as_object().into_iter().flat_map(Map::keys);
            out.extend(names.map(|name| Place { pointer: format!("{at}/{name}"), kind, read_by }));
        }
        _ => out.push(Place { pointer: at.to_owned(), kind, read_by }),
    }
}

/// The statements of SQL that have the mark outside of texts.
fn runs_the_mark(statement: &str) -> bool {
    let mut scanner = Scanner::new(Tokenizer::new());
    loop {
        match scanner.scan(statement.as_bytes()) {
            Err(_) => return statement.contains(MARK),
            Ok((_, None, _)) => return false,
            Ok((_, Some((_, TokenType::TK_STRING)), _)) => {}
            Ok((_, Some((token, _)), _)) => {
                if String::from_utf8_lossy(token).contains(MARK) {
                    return true;
                }
            }
        }
    }
}

fn strings<'v>(value: &'v Value, out: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|it| strings(it, out)),
        Value::Object(fields) => fields.values().for_each(|it| strings(it, out)),
        _ => {}
    }
}

/// The action that stores nothing of a template: what SiYuan makes of it is judged before it is inserted.
const ONLY_RENDERS: &str = "file.render_template";

/// A request that carries the text to its interpreter.
fn carries(path: &str, body: &Value, text: &str, interpreter: Interpreter) -> bool {
    let mut all = Vec::new();
    strings(body, &mut all);
    match interpreter {
        Interpreter::Sql | Interpreter::Regex => {
            path == "/api/query/sql" && all.iter().any(|it| runs_the_mark(it))
        }
        // Within a line, braces are text.
        Interpreter::Embed => all.iter().flat_map(|it| it.lines()).any(|it| it.trim() == text),
        _ => all.iter().any(|it| it.contains(text)),
    }
}

/// Each way in, with a hostile text: it is refused, printed again, or sent as a quoted text.
#[test]
fn no_hostile_text_reaches_an_interpreter() {
    let engine = Engine::new(world(), Nobody);
    let (mut wrong, mut walked) = (Vec::new(), BTreeSet::new());
    for spec in ACTIONS.iter().filter(|it| it.effect != Effect::External) {
        for arguments in examples(&engine.kernel, spec) {
            for place in ways_in(&spec.params().collect::<Vec<_>>(), &arguments) {
                walked.insert(format!("{} {}", spec.path(), plain(&place.pointer)));
                for (interpreter, text) in place.hostile() {
                    let sent = with_text(with_action(&arguments, spec.name), &place, interpreter, text);
                    engine.kernel.pass(1_000);
                    engine.kernel.take_all();
                    let reply = world::call(&engine, spec.tool, &sent, &Approval::Given);
                    for (path, body) in engine.kernel.take_all() {
                        let is_judged_later = spec.path() == ONLY_RENDERS && text == JOINED_BY_VALUES;
                        if !is_judged_later && carries(path, &body, text, interpreter) {
                            wrong.push(format!(
                                "{} {} ({:?}) for {interpreter:?}: {path} {body} -> {}",
                                spec.path(),
                                place.pointer,
                                place.kind,
                                if reply.is_ok() { "ok" } else { "refused" },
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} ways in:\n{}", wrong.len(), wrong.join("\n"));
    let missing: Vec<String> = declared().into_iter().filter(|it| !walked.contains(it)).collect();
    assert!(missing.is_empty(), "no example uses {missing:?}");
}

/// A call with the text at the place. Of attributes only one is read as a style.
fn with_text(mut call: Value, place: &Place, interpreter: Interpreter, text: &str) -> Value {
    match (place.kind, interpreter, place.pointer.rsplit_once('/')) {
        (Kind::Attrs, Interpreter::Css, Some((all, _))) => {
            *call.pointer_mut(all).unwrap() = json!({ "style": text });
        }
        _ => *call.pointer_mut(&place.pointer).unwrap() = json!(text),
    }
    call
}

fn ways_in(params: &[Param], arguments: &Map<String, Value>) -> Vec<Place> {
    let mut out = Vec::new();
    for param in params {
        if let Some(value) = arguments.get(param.name) {
            places(&format!("/{}", param.name), param.kind, param.read_by, value, &mut out);
        }
    }
    out
}

/// A pointer without the numbers of list items and the names inside of free objects.
fn plain(pointer: &str) -> String {
    let steps = pointer.split('/').filter(|it| !it.is_empty() && it.parse::<usize>().is_err());
    steps.collect::<Vec<_>>().join(".")
}

/// Every argument that an interpreter reads, but for those of free shape and those that no example has.
fn declared() -> Vec<String> {
    fn add(at: &str, kind: Kind, read_by: &[Interpreter], out: &mut Vec<String>) {
        match kind {
            Kind::List { item, .. } => add(at, *item, read_by, out),
            Kind::Record(params) => {
                for param in params.iter().filter(|it| !NOT_IN_EXAMPLES.contains(&it.name)) {
                    add(&format!("{at}.{}", param.name), param.kind, param.read_by, out);
                }
            }
            Kind::Attrs | Kind::Object => {}
            _ if read_by.is_empty() => {}
            _ => out.push(at.to_owned()),
        }
    }
    let mut out = Vec::new();
    for spec in ACTIONS.iter().filter(|it| it.effect != Effect::External) {
        for param in spec.params().filter(|it| !NOT_IN_EXAMPLES.contains(&it.name)) {
            add(&format!("{} {}", spec.path(), param.name), param.kind, param.read_by, &mut out);
        }
    }
    out
}

/// The walk would see a text that arrives: the carriers below are what it looks for.
#[test]
fn text_that_arrives_is_seen() {
    let sql =
        |statement: &str| carries("/api/query/sql", &json!({ "stmt": statement }), "", Interpreter::Sql);
    assert!(sql("SELECT * FROM blocks WHERE content = 'x' OR zqmark --'"));
    assert!(!sql("SELECT * FROM blocks WHERE content LIKE '%zqmark'' OR zqmark --%'"));
    let [embed, ..] = hostile(Interpreter::Embed) else { panic!() };
    assert!(carries("/api/block/appendBlock", &json!({ "data": embed }), embed, Interpreter::Embed));
    assert!(!carries("/api/block/appendBlock", &json!({ "data": "x" }), embed, Interpreter::Embed));
}
