//! The tree as editor DOM.

use super::inline::ZERO_WIDTH;
use super::table::Table;
use super::{Kind, Node, Span, attrs::escape};

/// Several blocks with their numbers, beginning at `first`.
pub(crate) fn blocks<'n>(nodes: impl IntoIterator<Item = &'n Node>, first: usize) -> String {
    nodes.into_iter().enumerate().map(|(at, node)| block(node, Some(first + at))).collect()
}

/// One block; `index` is its number where it is outermost.
pub(crate) fn block(node: &Node, index: Option<usize>) -> String {
    if node.kind == Kind::Document {
        return blocks(&node.children, 1);
    }
    let mut head = String::from("<div");
    let mut put = |name: &str, value: &str| head += &format!(" {name}=\"{}\"", escape(value));
    let name = node.kind.name();
    if matches!(node.kind, Kind::Callout { .. }) {
        put("contenteditable", "false");
    }
    if let Kind::Item { marker, task } | Kind::MindmapItem { marker, task } = &node.kind {
        put("data-marker", if node.subtype() == "o" { marker } else { "*" });
        put("data-subtype", &node.subtype());
        task.iter().for_each(|mark| put("data-task", &mark.to_string()));
    } else if matches!(node.kind, Kind::Heading(_) | Kind::List(_) | Kind::Mindmap(_) | Kind::Callout { .. })
    {
        put("data-subtype", &node.subtype());
    }
    put("data-node-id", &node.id);
    index.iter().for_each(|index| put("data-node-index", &index.to_string()));
    put("data-type", name);
    put("class", &class(node));
    for (name, value) in node.attrs.iter() {
        put(name, value);
    }
    match &node.kind {
        Kind::Math(text) => {
            put("data-content", text);
            put("data-subtype", "math");
        }
        Kind::Html(_) => put("data-subtype", "block"),
        Kind::Super { layout } => put("data-sb-layout", layout),
        Kind::Embed(text) => put("data-content", text),
        Kind::Database { av, view } => {
            put("data-av-id", av);
            put("data-av-type", view);
        }
        Kind::Custom { info, text } => {
            put("data-info", info);
            put("data-content", text);
        }
        _ => {}
    }
    let attrs = if node.kind == Kind::Break { String::new() } else { shown_attrs(node) };
    format!("{head}>{}{attrs}</div>", inside(node))
}

fn class(node: &Node) -> String {
    match &node.kind {
        Kind::Heading(level) => format!("h{level}"),
        Kind::Item { task: Some(mark), .. } if *mark != ' ' => "li protyle-task--done".into(),
        Kind::Document => String::new(),
        Kind::Paragraph => "p".into(),
        Kind::List(_) => "list".into(),
        Kind::Item { .. } => "li".into(),
        Kind::Quote => "bq".into(),
        Kind::Callout { .. } => "callout".into(),
        Kind::Super { .. } => "sb".into(),
        Kind::Table(_) => "table".into(),
        Kind::Code { .. } => "code-block".into(),
        Kind::Math(_) | Kind::Html(_) | Kind::Embed(_) => "render-node".into(),
        Kind::Break => "hr".into(),
        Kind::Database { .. } => "av".into(),
        Kind::Media { name, .. } => name.clone(),
        Kind::Tabs => "tabs".into(),
        Kind::Tab { .. } => "tab-item".into(),
        Kind::Mindmap(_) => "mindmap".into(),
        Kind::MindmapItem { .. } => "mindmap-item".into(),
        Kind::Custom { .. } => "custom-block".into(),
    }
}

/// The strip below a block that shows some of its attributes.
fn shown_attrs(node: &Node) -> String {
    let mut shown = String::new();
    for name in ["bookmark", "name", "alias", "memo"] {
        if let Some(value) = node.attrs.get(name) {
            shown += &format!("<div class=\"protyle-attr--{name}\">{}</div>", escape(value));
        }
    }
    format!("<div class=\"protyle-attr\" contenteditable=\"false\">{shown}{ZERO_WIDTH}</div>")
}

fn inside(node: &Node) -> String {
    let children = || node.children.iter().map(|child| block(child, None)).collect::<String>();
    match &node.kind {
        Kind::Heading(_) | Kind::Paragraph => {
            format!("<div contenteditable=\"true\" spellcheck=\"false\">{}</div>", spans(&node.spans))
        }
        Kind::Item { marker, task } | Kind::MindmapItem { marker, task } => {
            format!("{}{}", handle(node, marker, *task), children())
        }
        Kind::Tab { title } => format!(
            "<div class=\"tab-item-info callout-info\" contenteditable=\"false\"><span class=\"tab-item-title \
             callout-title\">{}</span></div><div class=\"tab-item-content\">{}</div>",
            escape(title),
            children()
        ),
        Kind::Custom { .. } => "<div class=\"custom-block__content\"></div>".into(),
        Kind::Callout { icon, title, .. } => format!(
            "<div class=\"callout-info\"><span class=\"callout-icon\">{icon}</span><span class=\"callout-title\">{}\
             </span></div><div class=\"callout-content\">{}</div>",
            escape(title),
            children()
        ),
        Kind::Table(table) => write_table(table),
        Kind::Code { info, text } => write_code(info, text),
        Kind::Math(_) => "<div spin=\"1\"></div>".into(),
        Kind::Html(text) => format!(
            "<div class=\"protyle-icons\"></div><div><protyle-html data-content=\"{}\"></protyle-html></div>",
            escape(text)
        ),
        Kind::Media { text, .. } => format!("<div class=\"iframe-content\">{text}</div>"),
        Kind::Break => "<div></div>".into(),
        _ => children(),
    }
}

fn handle(node: &Node, marker: &str, task: Option<char>) -> String {
    let (class, inner) = match task {
        Some(' ') => {
            (" protyle-action--task", "<svg><use xlink:href=\"#iconUncheck\"></use></svg>".to_owned())
        }
        Some(_) => (" protyle-action--task", "<svg><use xlink:href=\"#iconCheck\"></use></svg>".to_owned()),
        None if node.subtype() == "o" => {
            return format!(
                "<div class=\"protyle-action protyle-action--order\" contenteditable=\"false\" draggable=\"true\">\
                 {marker}</div>"
            );
        }
        None => ("", "<svg><use xlink:href=\"#iconDot\"></use></svg>".to_owned()),
    };
    format!("<div class=\"protyle-action{class}\" draggable=\"true\">{inner}</div>")
}

fn write_code(info: &str, text: &str) -> String {
    let icon = |place: &str, class: &str, icon: &str| {
        format!(
            "<span class=\"ariaLabel protyle-icon protyle-icon--{place} protyle-action__{class}\" \
             data-position=\"4north\"><svg><use xlink:href=\"#icon{icon}\"></use></svg></span>"
        )
    };
    format!(
        "<div class=\"protyle-action\"><span class=\"protyle-action--first protyle-action__language\" \
         contenteditable=\"false\">{}</span><span class=\"fn__flex-1\"></span>{}{}</div><div class=\"hljs\"><div></div>\
         <div contenteditable=\"true\" style=\"flex: 1\" spellcheck=\"false\">{}</div></div>",
        escape(info),
        icon("first", "copy", "Copy"),
        icon("last", "menu", "More"),
        escape(text)
    )
}

fn write_table(table: &Table) -> String {
    let row = |row: &Vec<Vec<Span>>, tag: &str| {
        let cells = row.iter().enumerate().map(|(at, cell)| {
            let align = table.aligns.get(at).and_then(|align| align.name());
            let align = align.map(|name| format!(" align=\"{name}\"")).unwrap_or_default();
            format!("<{tag}{align}>{}</{tag}>", spans(cell))
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let head = table.rows.first().map(|r| row(r, "th")).unwrap_or_default();
    let body: String = table.rows.iter().skip(1).map(|r| row(r, "td")).collect();
    format!(
        "<div contenteditable=\"false\"><table contenteditable=\"true\" spellcheck=\"false\"><colgroup>{}</colgroup>\
         <thead>{head}</thead><tbody>{body}</tbody></table><div class=\"protyle-action__table\"><div \
         class=\"table__resize\"></div><div class=\"table__select\"></div></div></div>",
        "<col />".repeat(table.aligns.len())
    )
}

/// The text of spans as the editor has it.
pub(crate) fn spans(spans: &[Span]) -> String {
    let mut out = String::new();
    for (at, span) in spans.iter().enumerate() {
        let room = ["code", "tag", "kbd"].iter().any(|kind| span.is(kind));
        if room && at == 0 {
            out.push(ZERO_WIDTH);
        }
        out += &one(span, room);
        if room {
            out.push(ZERO_WIDTH);
        }
    }
    out
}

fn one(span: &Span, room: bool) -> String {
    let text = escape(&span.text);
    if span.kind.is_empty() {
        return text;
    }
    if span.is("img") {
        let (src, title) = (escape(span.attrs.text("data-src")), escape(span.attrs.text("title")));
        return format!(
            "<span contenteditable=\"false\" data-type=\"img\" class=\"img\"><img src=\"{src}\" data-src=\"{src}\" \
             alt=\"{text}\" title=\"{title}\" /></span>"
        );
    }
    if span.is("backslash") {
        return format!("<span data-type=\"backslash\"><span>\\</span>{text}</span>");
    }
    if span.is("inline-math") {
        return format!(
            "<span data-type=\"{}\" data-subtype=\"math\" data-content=\"{text}\" contenteditable=\"false\" \
             class=\"render-node\"></span>",
            span.kind
        );
    }
    let mut out = format!("<span data-type=\"{}\"", span.kind);
    for (name, value) in span.attrs.iter() {
        out += &format!(" {name}=\"{}\"", escape(value));
    }
    if room {
        out += &format!(">{ZERO_WIDTH}{text}</span>");
    } else {
        out += &format!(">{text}</span>");
    }
    out
}
