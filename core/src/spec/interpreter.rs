//! SiYuan's interpreters: each runs text that agents can write, so each has exactly one gate.
//!
//! The rule is the same for all: text of an agent that reaches an interpreter was printed by us from our own parse, or
//! was judged by what that interpreter makes of it. Every argument names its interpreters (`Param::read_by`), through
//! its type or with `#[read_by(...)]`; an argument that does neither is a compile error.

/// A part of SiYuan that runs text, or builds something that runs from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interpreter {
    /// Lute, which makes blocks, attribute lists and HTML of Markdown.
    Markdown,
    /// The page, which builds elements from texts and names.
    Html,
    /// The page, which applies the styles of blocks and texts.
    Css,
    /// The kernel's job and the page, which run the statements of query embeds.
    Embed,
    /// The page, which runs JavaScript embeds, handlers and addresses.
    Script,
    /// Libraries of the page that draw code blocks and formulas: one of them evaluates its text as JavaScript.
    Drawing,
    /// Go's text/template in the kernel.
    Template,
    /// SQLite, which runs statements on the index.
    Sql,
    /// FTS5, which runs queries on the full-text index.
    FullText,
    /// Go's regular expressions.
    Regex,
}

impl Interpreter {
    /// All of them.
    pub const ALL: [Interpreter; 10] = [
        Interpreter::Markdown,
        Interpreter::Html,
        Interpreter::Css,
        Interpreter::Embed,
        Interpreter::Script,
        Interpreter::Drawing,
        Interpreter::Template,
        Interpreter::Sql,
        Interpreter::FullText,
        Interpreter::Regex,
    ];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Interpreter::Markdown => "Markdown",
            Interpreter::Html => "HTML",
            Interpreter::Css => "CSS",
            Interpreter::Embed => "Query embeds",
            Interpreter::Script => "JavaScript",
            Interpreter::Drawing => "Drawings",
            Interpreter::Template => "Go templates",
            Interpreter::Sql => "SQL",
            Interpreter::FullText => "Full-text queries",
            Interpreter::Regex => "Regular expressions",
        }
    }

    /// When SiYuan runs the text, and with which rights.
    pub const fn runs(self) -> &'static str {
        match self {
            Interpreter::Markdown => "immediately, when a block is written",
            Interpreter::Html => {
                "later, with the rights of the page, when a note, menu, dialog or database is shown"
            }
            Interpreter::Css => {
                "later, when a note is shown; a style can cover whatever is below the top layer"
            }
            Interpreter::Embed => {
                "later and unasked: the kernel runs all statements of every embed at its start, when it rebuilds the index and every ten minutes, over all notebooks, writes included"
            }
            Interpreter::Script => {
                "later, with the rights of the page; on the desktop these are the person's own"
            }
            Interpreter::Drawing => {
                "later, when a note is shown: code blocks of echarts and abc are evaluated as JavaScript, and diagrams and formulas make links and styles"
            }
            Interpreter::Template => {
                "later: when a daily note is created, a template is inserted or a column is shown; its functions read every notebook"
            }
            Interpreter::Sql => "immediately, over all notebooks, in the order that the planner chooses",
            Interpreter::FullText => "immediately, over all notebooks; SiYuan pastes the query into SQL",
            Interpreter::Regex => "immediately, on the rows that a statement selects",
        }
    }

    /// The gate that text of agents passes on its way there, described for documents.
    pub const fn gate(self) -> &'static str {
        match self {
            Interpreter::Markdown => {
                "`content::incoming` reads the whole text and prints each attribute list from its own parse"
            }
            Interpreter::Html => {
                "`content::incoming` decodes a text to its end and refuses what would become an element or handler that runs"
            }
            Interpreter::Css => {
                "`content::style` prints the declarations of an allow-list from its own parse"
            }
            Interpreter::Embed => {
                "`content::incoming::embeds` decodes an embed as SiYuan decodes it, parses it to its end as one SELECT, and prints it again"
            }
            Interpreter::Script => {
                "`content::incoming` refuses JavaScript embeds, handlers, forms and addresses that run"
            }
            Interpreter::Drawing => {
                "`content::incoming::drawings` judges code blocks and formulas by their language, and refuses what does more than draw"
            }
            Interpreter::Template => {
                "`content::template` prints the template from its own parse, with a filter around each value that leaves words; the rendered text passes the gate of Markdown"
            }
            Interpreter::Sql => {
                "`index::statement` parses the statement and prints it again over what the caller may read; every other text is a quoted literal"
            }
            Interpreter::FullText => {
                "`tools::search::fts` parses the query and prints it again inside its own columns"
            }
            Interpreter::Regex => {
                "RE2 runs in linear time; the pattern is a quoted literal of a statement over what the caller may read"
            }
        }
    }

    /// The stored texts through which SiYuan runs it after the call that wrote them has ended.
    pub const fn stored(self) -> &'static [&'static str] {
        match self {
            Interpreter::Markdown => &["rendered templates", "restored versions"],
            Interpreter::Html => &[
                "blocks",
                "names of rows: the texts of their blocks, of text that is moved there, and of the targets of dynamic references",
                "names of notebooks, decks, databases, columns, options and views",
                "cells",
                "memos and tags of snapshots",
                "assets that are pages",
            ],
            Interpreter::Css => &["attribute lists", "covers of documents"],
            Interpreter::Embed => {
                &["embed blocks", "embed blocks of rendered templates", "embed blocks of restored versions"]
            }
            Interpreter::Script => &["JavaScript embeds", "handlers in HTML blocks", "addresses of links"],
            Interpreter::Drawing => &["code blocks", "formulas"],
            Interpreter::Template => &[
                "template files",
                "template columns",
                "paths of daily notes",
                "paths of new documents and references",
            ],
            Interpreter::Sql | Interpreter::FullText | Interpreter::Regex => &[],
        }
    }
}

/// The interpreters that a type of arguments names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadBy {
    /// These, wherever the type occurs.
    These(&'static [Interpreter]),
    /// Free text: each field says it with `#[read_by(...)]`.
    PerField,
}

impl ReadBy {
    /// For a type whose value is only compared, counted or parsed by this program.
    pub const NOTHING: ReadBy = ReadBy::These(&[]);

    /// The interpreters of a field, from its type or from its attribute. A field that names none, or names them twice,
    /// does not compile.
    #[allow(clippy::panic, reason = "declarations are evaluated by the compiler, where a panic is an error")]
    pub const fn of_field(self, attribute: Option<&'static [Interpreter]>) -> &'static [Interpreter] {
        match (self, attribute) {
            (ReadBy::These(all), None) | (ReadBy::PerField, Some(all)) => all,
            (ReadBy::PerField, None) => {
                panic!(
                    "say which of SiYuan's interpreters reads this text: `#[read_by(Html)]`, or `#[read_by()]` for none"
                )
            }
            (ReadBy::These(_), Some(_)) => panic!("the type of this field says which interpreters read it"),
        }
    }
}
