//! The end of a failed call: what the pipeline knows and the action does not is added, so that the answer alone allows
//! the next call.
//!
//! It knows what the caller may see and nothing else: what lies in a closed notebook gets the words, and costs the
//! requests, of what does not exist (B-055).

use serde_json::{Map, Value, json};

use crate::args::{Problem, nearest, shown_name};
use crate::error::{ErrorType, Example, ToolError, refusal};
use crate::find::{ResolvedCall, action_named};
use crate::id::{NotebookRef, is_node_id};
use crate::index::{self, Order, Select, Table, Visibility};
use crate::kernel::Kernel;
use crate::kernel::api::notebook::Notebook;
use crate::kernel::api::query::Row;
use crate::path::WorkspacePath;
use crate::permission::{Need, Places, Scope, Target};
use crate::render::mended::{at, id_in, put_at};
use crate::sorted::SharedSort as _;
use crate::spec::{ActionSpec, Effect, Kind, Tool};

/// The maximum number of names in an error.
const MOST: usize = 20;
/// The maximum number of near paths in an error.
const NEAR: usize = 5;

/// Whether an action is offered: advice names no other one (B-002).
pub(crate) type Offers<'a> = &'a (dyn Fn(&ActionSpec) -> bool + Sync);

/// The facts about a call that failed after its arguments were decoded.
pub(super) struct CallFacts<'a> {
    pub(super) kernel: &'a dyn Kernel,
    pub(super) called: &'a ResolvedCall,
    pub(super) offers: Offers<'a>,
    pub(super) needs: &'a [Need],
    pub(super) scope: &'a Scope,
    pub(super) places: Option<&'a Places>,
}

/// A sentence for names that were sent where ids are due: where to find the ids.
pub(super) fn for_names(
    spec: &ActionSpec,
    offers: Offers<'_>,
    given: &Map<String, Value>,
    problems: &[Problem],
) -> String {
    let bad = |name: &str| problems.iter().any(|it| it.field.split(['[', '.', '|']).next() == Some(name));
    let mut ids = spec.params().filter(|it| is_id(it.kind) && bad(it.name));
    let sent = ids.next().and_then(|param| given.get(param.name));
    match sent.map(|it| it.get(0).unwrap_or(it)).and_then(Value::as_str).map(str::trim) {
        // An id with something around it is mended, not looked for; JSON in a text is no name.
        Some(name) if !name.is_empty() && !name.starts_with('[') && id_in(name).is_none() => {
            match sources(&ID_SOURCES, offers).as_str() {
                "" => String::new(),
                sources => {
                    format!(
                        " Ids come from answers of {sources}: look for {} there.",
                        json!(shown_name(name))
                    )
                }
            }
        }
        _ => String::new(),
    }
}

/// The sentence beside the call that finds a row.
pub(super) const FOR_ROW_TITLES: &str = " A title is no id: the call in `hint` finds the row with its id.";

/// The call that finds a row whose title was sent instead of its id, if that action is offered.
pub(super) fn for_row_titles(
    spec: &ActionSpec,
    offers: Offers<'_>,
    given: &Map<String, Value>,
    problems: &[Problem],
) -> Option<Example> {
    let database = given.get("id").and_then(Value::as_str).and_then(id_in)?;
    let is_row = |it: &&Problem| {
        let leaf = it.field.rsplit('.').next().unwrap_or_default();
        matches!(leaf.split('[').next(), Some("row" | "row_ids" | "after_row"))
    };
    let rows = action_named(Tool::Av, "list_rows").filter(|it| spec.tool == Tool::Av && offers(it))?;
    let sent = problems.iter().find(is_row).and_then(|it| at(given, &it.field))?;
    let title = sent.get(0).unwrap_or(sent).as_str().map(str::trim)?;
    let is_title = !title.is_empty() && id_in(title).is_none() && shown_name(title).len() == title.len();
    let arguments = Map::from_iter([("id".to_owned(), json!(database)), ("query".to_owned(), json!(title))]);
    is_title.then_some(Example { tool: rows.tool, action: rows.name, arguments })
}

/// Actions whose answers have the ids of documents and blocks.
const ID_SOURCES: [(Tool, &str); 4] =
    [(Tool::Document, "search"), (Tool::Search, "text"), (Tool::Fs, "list"), (Tool::Document, "read")];

/// Actions whose answers have the ids of databases.
const AV_SOURCES: [(Tool, &str); 2] = [(Tool::Av, "search"), (Tool::System, "get_info")];
/// Actions whose answers have the paths of assets.
const ASSET_SOURCES: [(Tool, &str); 2] = [(Tool::File, "list_assets"), (Tool::Search, "assets")];

fn is_id(kind: Kind) -> bool {
    matches!(kind, Kind::Id | Kind::List { item: Kind::Id, .. })
}

/// Names those of these actions that are offered.
pub(super) fn sources(actions: &[(Tool, &str)], offers: Offers<'_>) -> String {
    let known = actions.iter().filter_map(|(tool, name)| action_named(*tool, name));
    known.filter(|it| offers(it)).map(ActionSpec::path).collect::<Vec<_>>().join(", ")
}

impl CallFacts<'_> {
    /// The error, with the next step.
    pub(super) async fn advised(&self, mut error: ToolError) -> ToolError {
        let hints = std::mem::take(&mut error.hints);
        if let Some(message) = hints.kernel_message {
            let plain = refusal(&message, &[]);
            error.message = error.message.replace(&plain, &refusal(&message, &self.texts()));
        }
        let missing = hints.missing.and_then(|param| self.needs.iter().find(|it| *it.param == *param));
        let missing = missing.or_else(|| self.nothing_there());
        let is_plain = error.kind == ErrorType::NotFound && error.message == ToolError::not_found().message;
        error = match (missing, self.only_id()) {
            _ if !is_plain => error,
            (Some(need), _) => self.missing(need, error).await,
            (None, Some(param)) => self.ids_from(param, "Ids", &ID_SOURCES, error),
            (None, None) => error,
        };
        if error.kind == ErrorType::Validation {
            if hints.is_leaf {
                error = self.beside(error);
            }
            error = self.section(error).await;
        }
        let ResolvedCall { spec, arguments, .. } = self.called;
        // A proposal must not lead to a loss: another target is for the caller to choose.
        let instead = error.hints.instead.take().or(hints.instead);
        if let Some(instead) = instead.filter(|_| spec.worst != Effect::Destructive) {
            let (field, value) = *instead;
            let mut arguments = arguments.clone();
            put_at(&mut arguments, &field, value);
            error.example = Some(Example { tool: spec.tool, action: spec.name, arguments });
        }
        error
    }

    /// Every text of the call.
    fn texts(&self) -> Vec<&str> {
        fn add<'v>(value: &'v Value, out: &mut Vec<&'v str>) {
            match value {
                Value::String(text) => out.push(text),
                Value::Array(all) => all.iter().for_each(|it| add(it, out)),
                Value::Object(all) => all.values().for_each(|it| add(it, out)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        self.called.arguments.values().for_each(|it| add(it, &mut texts));
        texts
    }

    /// The path that leads to nothing, if there is one.
    fn nothing_there(&self) -> Option<&Need> {
        let places = self.places?;
        let leads_nowhere = |need: &&Need| {
            matches!(need.target, Target::Path(_))
                && places.of(&need.target).is_some_and(|it| it.doc.is_none())
        };
        self.needs.iter().find(leads_nowhere)
    }

    /// Says where to look for a target that was not found.
    async fn missing(&self, need: &Need, error: ToolError) -> ToolError {
        let param = need.param.split('[').next().unwrap_or_default();
        match &need.target {
            Target::Workspace => error,
            Target::Doc(_) | Target::Block(_) => self.ids_from(param, "Ids", &ID_SOURCES, error),
            Target::Av(_) => self.ids_from(param, "Ids of databases", &AV_SOURCES, error),
            Target::Asset(_) => self.ids_from(param, "Paths of assets", &ASSET_SOURCES, error),
            Target::Notebook(name) => self.notebook(need, name, error),
            Target::Path(path) => match path.bare_id() {
                Some(_) => self.ids_from(param, "Ids", &ID_SOURCES, error),
                None => self.path(need, path, error).await,
            },
        }
    }

    /// Says which answers have what was sent as this argument.
    fn ids_from(&self, param: &str, what: &str, actions: &[(Tool, &str)], error: ToolError) -> ToolError {
        let from = match sources(actions, self.offers).as_str() {
            "" => String::new(),
            sources => format!(" {what} come from answers of {sources}: look there again."),
        };
        let message = format!(
            "There is nothing that you may see with this `{param}`.{from} It may also be hidden from agents, or its \
             notebook not open in SiYuan."
        );
        ToolError { message, ..error }
    }

    /// The one argument of the call that holds ids of documents or blocks, also where the action alone judges them.
    fn only_id(&self) -> Option<&'static str> {
        let ResolvedCall { spec, arguments, .. } = self.called;
        let of_blocks = matches!(spec.tool, Tool::Document | Tool::Block | Tool::Search);
        let mut sent = spec.params().filter(|it| is_id(it.kind) && arguments.contains_key(it.name));
        let first = sent.next().filter(|_| of_blocks)?;
        sent.next().is_none().then_some(first.name)
    }

    /// Names the notebooks that there are, the nearest first.
    fn notebook(&self, need: &Need, name: &NotebookRef, error: ToolError) -> ToolError {
        let name = name.as_str();
        let near = self.near_notebook(name);
        let error = self.with_notebooks(&need.param, near, error);
        match near {
            Some(near) => error.instead(&need.param, self.scope.word(near)),
            None => error,
        }
    }

    fn with_notebooks(&self, param: &str, near: Option<&Notebook>, error: ToolError) -> ToolError {
        let others = self.scope.visible_notebooks().filter(|it| near.is_none_or(|near| near.id != it.id));
        let words: Vec<String> =
            near.into_iter().chain(others).map(|it| self.scope.word(it)).take(MOST).collect();
        let guess = near.map(|it| format!("; did you mean {}?", json!(self.scope.word(it))));
        let more = match sources(&[(Tool::Notebook, "list")], self.offers).as_str() {
            "" => String::new(),
            list => format!("; {list} tells more"),
        };
        let message = format!(
            "`{param}` names no notebook that you may see{} They are in `notebooks`{more}. It may also be hidden from \
             agents.",
            guess.as_deref().unwrap_or(".")
        );
        ToolError { message, ..error }.with("notebooks", words)
    }

    /// The notebook whose name is nearest, if it is near enough.
    fn near_notebook(&self, name: &str) -> Option<&Notebook> {
        let wanted = name.trim().trim_matches('/').to_lowercase();
        let lower: Vec<String> = self.scope.visible_notebooks().map(|it| it.name.to_lowercase()).collect();
        let near = nearest(&wanted, lower.iter().map(String::as_str))?.to_owned();
        self.scope.visible_notebooks().find(|it| it.name.to_lowercase() == near)
    }

    /// Names the nearest documents, and where to list them; the notebooks if the first segment is none.
    async fn path(&self, need: &Need, path: &WorkspacePath, error: ToolError) -> ToolError {
        let first = path.notebook().unwrap_or_default();
        let known = self.scope.visible_notebooks().find(|it| it.id == first || it.name == first);
        let near = if known.is_none() { self.near_notebook(first) } else { None };
        let error = match (known, near) {
            (None, Some(near)) => {
                let titles: String = path.titles().iter().map(|it| format!("/{it}")).collect();
                let meant = format!("/{}{titles}", self.scope.word(near));
                return self.with_notebooks(&need.param, Some(near), error).instead(&need.param, meant);
            }
            (None, None) => self.with_notebooks(&need.param, None, error),
            (Some(notebook), _) => {
                let top = json!(format!("/{}", self.scope.word(notebook)));
                let there = match sources(&[(Tool::Fs, "list")], self.offers).as_str() {
                    "" => String::new(),
                    list => format!("{list} with path {top} shows what is there; "),
                };
                let message = format!(
                    "`{}` leads to nothing that you may see. {there}`nearest` has paths that are like it.",
                    need.param
                );
                ToolError { message, ..error }
            }
        };
        let near = self.titled_like(path).await;
        let meant = match near.as_slice() {
            [only] => Some(only),
            [first, second, ..] if first.0 < second.0 => Some(first),
            _ => None,
        };
        let meant = meant.map(|it| it.1.clone());
        let paths: Vec<String> = near.into_iter().map(|(_, it)| it).take(NEAR).collect();
        let error = if paths.is_empty() { error } else { error.with("nearest", paths) };
        match meant {
            Some(meant) => error.instead(&need.param, meant),
            None => error,
        }
    }

    /// The paths of documents whose titles are like the last segment of a path, the most similar path first.
    async fn titled_like(&self, path: &WorkspacePath) -> Vec<(usize, String)> {
        // An id in the path is right or wrong; what is like it says nothing.
        let has_id =
            path.notebook().into_iter().chain(path.titles().iter().map(String::as_str)).any(is_node_id);
        let Some((_, title)) = path.split_last().filter(|_| !has_id) else { return Vec::new() };
        let select = index::titled([index::beginning(title), index::end(title)]);
        let (wanted, title) = (path.to_string().to_lowercase(), title.to_lowercase());
        let mut near: Vec<(usize, String)> = Vec::new();
        for row in self.rows(&select).await {
            let own = row.text("content").to_lowercase();
            let is_like = own == title || nearest(&title, std::iter::once(own.as_str())).is_some();
            if let Some(there) = self.path_of(&row).filter(|_| is_like) {
                let lower = there.to_lowercase();
                let (end, other) = (wanted.trim_start_matches('/'), lower.trim_start_matches('/'));
                // A path whose notebook was left out ends like the right one.
                let distance = match other.ends_with(&format!("/{end}")) {
                    true => 0,
                    false => distance(end, other),
                };
                near.push((distance, there));
            }
        }
        near.sort_shared_by(Ord::cmp);
        near
    }

    fn path_of(&self, row: &Row) -> Option<String> {
        let notebook = self.scope.visible_notebooks().find(|it| it.id == row.text("box"))?;
        Some(format!("/{}{}", self.scope.word(notebook), row.text("hpath")))
    }

    /// Rows of the index that the caller may see; advice is no reason to fail.
    async fn rows(&self, select: &Select) -> Vec<Row> {
        let open = self.scope.visible_notebooks().filter(|it| !it.closed).map(|it| it.id.as_str());
        let visibility = Visibility::new(open.filter(|it| is_node_id(it)), self.scope.grants.any_hidden());
        select.visible_rows(self.kernel, &visibility, &self.scope.grants).await.unwrap_or_default()
    }

    /// A block that can hold no others: adds its document, to which the same call can add.
    fn beside(&self, error: ToolError) -> ToolError {
        let Some(problem) = error.fields.first() else { return error };
        let need = self.needs.iter().find(|it| it.param == problem.field);
        let doc = need.and_then(|need| self.places?.of(&need.target)?.doc.clone());
        match (need, doc) {
            (Some(need), Some(doc)) if !error.details.contains_key("doc") => {
                let (param, beside) = (need.param.clone(), need.target.name());
                error.with("doc", doc.as_str()).with("beside", beside).instead(param, doc.as_str())
            }
            _ => error,
        }
    }

    /// A heading that the document lacks: the nearest of its headings, or the document that has it.
    async fn section(&self, error: ToolError) -> ToolError {
        let sent = self.called.arguments.get("section").and_then(Value::as_str);
        let is_section = error.fields.iter().any(|it| it.field == "section");
        let (Some(headings), Some(sent)) = (error.details.get("headings"), sent.filter(|_| is_section))
        else {
            return error;
        };
        let wanted = sent.trim_start_matches('#').trim();
        let headings = headings.as_array().into_iter().flatten().filter_map(Value::as_str);
        let near = nearest(wanted, headings).map(str::to_owned);
        let select = Select::from(Table::Blocks)
            .columns(["b.id", "b.root_id", "b.hpath", "b.content"])
            .per(["b.id"])
            .filter(index::eq("b.type", "h"))
            .filter(index::all_in_any_case("b.content", wanted))
            .order([Order::Up("b.hpath")])
            .limit(MOST);
        let mut rows = self.rows(&select).await;
        rows.retain(|it| it.text("content").trim().to_lowercase() == wanted.to_lowercase());
        let place = |row: &Row| json!({ "doc": row.text("root_id"), "path": self.path_of(row), "id": row.text("id") });
        let elsewhere: Vec<Value> = rows.iter().map(place).take(NEAR).collect();
        let error = match self.needs {
            _ if elsewhere.is_empty() => error,
            [need] => {
                let key = if matches!(need.target, Target::Path(_)) { "path" } else { "doc" };
                let message = format!(
                    "{} Other documents have this heading: send the same call with a `{key}` of `elsewhere` as `{}`.",
                    error.message, need.param
                );
                ToolError { message, ..error }.with("elsewhere", elsewhere)
            }
            _ => error.with("elsewhere", elsewhere),
        };
        // A heading that another document has is likelier than a slip.
        match (rows.as_slice(), near, self.needs) {
            ([only], _, [need]) => error.instead(&need.param, only.text("root_id")),
            ([], Some(near), _) => error.instead("section", near),
            _ => error,
        }
    }
}

/// The number of slips between two texts; of long ones only the difference of their lengths, because the slips take
/// time proportional to both.
fn distance(one: &str, other: &str) -> usize {
    const LONGEST: usize = 128;
    if one.len().max(other.len()) > LONGEST {
        return one.len().abs_diff(other.len()) + LONGEST;
    }
    strsim::levenshtein(one, other)
}
