//! Incoming Markdown: refuses or removes everything harmful that the kernel would accept without complaint.
//!
//! The kernel accepts any id in an attribute list, which hijacks the block that has this id elsewhere. It also writes
//! the text of a reference's target into the note, whoever may read that note. So ids that are new to the text are
//! dropped and reported, references must be readable, and active content is refused.
//!
//! Check the *whole* text that will be sent, never a piece of it: the surrounding text decides what is code.

mod active;
mod addresses;
mod beside_rows;
mod code;
mod databases;
mod drawings;
mod editor_dom;
mod embeds;
mod folded;
mod formulas;
mod ids;
mod lists;
mod pages;
mod references;
mod rows;
mod sinks;
mod spinning;
mod stored;
mod swallowing;
mod tags;
mod targets;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use self::addresses::Addresses;
use self::beside_rows::RowText;
use self::code::MaskedText;
use self::databases::Databases;
pub use self::drawings::DRAWN;
use self::drawings::Drawings;
pub use self::editor_dom::{AllowedIds, judge};
use self::embeds::Embeds;
pub use self::embeds::{runs_a_script, runs_more_than_a_select};
use self::ids::PreviousIds;
use self::lists::AttributedText;
use self::pages::Pages;
use self::rows::ActingTags;
pub use self::spinning::{for_editor, from_editor};
use self::tags::UnsafeMarkup;
pub use self::values::{is_plain, is_plain_address, would_run_in_picture, would_run_in_value};
use super::kramdown::{self, AttributeList};
use super::style;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Route;
use crate::kernel::api::{filetree, query};
use crate::sorted::IntoSorted as _;

/// The routes that `check` calls.
pub const CALLS: &[Route] = &[filetree::GET_PATH_BY_ID, query::SQL, query::FLUSH_TRANSACTION];

/// The parser's mark for the cursor: the parser removes it, or moves it.
const CURSOR: char = '\u{2038}';

/// The attribute with which a notebook's owner gives agents rules; what agents could write would not be the owner's.
pub(crate) const AGENT_RULES: &str = "custom-agent-rules";

/// Whether only SiYuan or its owner sets this attribute: a text may keep it but never add it.
pub(super) fn is_protected(name: &str) -> bool {
    matches!(name, "updated" | "custom-avs" | "custom-riff-decks" | "custom-hidden" | AGENT_RULES)
        || name.starts_with("custom-sy-")
}

/// The content of the blocks that the text replaces, which it may therefore contain again.
#[derive(Debug, Clone, Default)]
pub struct ReplacedContent {
    blocks: BTreeMap<String, AttributeList>,
    /// Its attributes in lists.
    pairs: BTreeSet<(String, String)>,
    addresses: Addresses,
    databases: Databases,
    embeds: Embeds,
    pages: Pages,
    tags: UnsafeMarkup,
    encoded_tags: ActingTags,
    drawings: Drawings,
    known: PreviousIds,
    row_text: RowText,
    /// The ids of the databases that contain its blocks as rows.
    rows_of: BTreeSet<String>,
    /// Whether some of its blocks are rows.
    has_rows: bool,
    /// The document that receives the text; `None` if it is new.
    doc: Option<DocId>,
    /// Whether the text goes between the document's own blocks, where it names no row.
    is_top: bool,
}

impl ReplacedContent {
    /// For a text that replaces nothing.
    pub fn nothing() -> ReplacedContent {
        ReplacedContent::default()
    }

    /// Names the document that receives the text. Its blocks may be rows of databases.
    #[must_use]
    pub fn within(self, doc: Option<DocId>) -> ReplacedContent {
        ReplacedContent { doc, ..self }
    }

    /// Like `within`, for text between the document's own blocks, in no list or quote.
    #[must_use]
    pub fn at_top_of(self, doc: Option<DocId>) -> ReplacedContent {
        ReplacedContent { doc, is_top: true, ..self }
    }

    /// For a text that replaces blocks of this kramdown, as the kernel printed it.
    pub fn of(kramdown: &str) -> ReplacedContent {
        let lists = kramdown::attribute_lists(kramdown);
        let (rows_of, has_rows) = (rows_of(&lists), beside_rows::has_rows(&lists));
        // The last list is that of the block itself.
        let row_text = match lists.last() {
            Some(last) if beside_rows::has_rows(std::slice::from_ref(last)) => RowText::of_name(kramdown),
            _ => RowText::of(kramdown),
        };
        let named = lists.into_iter().filter(|it| it.get("type") != Some("doc"));
        let blocks = named.filter_map(|it| Some((it.id()?.to_owned(), it))).into_map();
        let masked = code::mask(kramdown);
        let folded = folded::folded(&masked.text).unwrap_or_default();
        let pairs = pairs(&masked);
        let (databases, pages) = (Databases::of(&folded), Pages::of(&folded));
        let embeds = Embeds::of(kramdown, &masked.text);
        let (tags, drawings) = (UnsafeMarkup::of(&masked.text), Drawings::of(kramdown, &masked));
        let addresses = Addresses::of(&masked.text);
        ReplacedContent {
            blocks,
            pairs,
            addresses,
            databases,
            embeds,
            pages,
            tags,
            encoded_tags: stored::encoded_tags(&masked.text),
            drawings,
            known: PreviousIds::of(&masked),
            row_text,
            rows_of,
            has_rows,
            doc: None,
            is_top: false,
        }
    }
}

/// Markdown that may be sent to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Incoming {
    /// The text.
    pub markdown: String,
    /// Ids that were removed from it.
    pub ids_dropped: Vec<String>,
}

/// Checks and completes a text. A text without references costs no request; otherwise this reads where their targets
/// lie now, and the anchors that references lack.
pub async fn check(cx: &Cx<'_>, markdown: &str, kept: &ReplacedContent) -> Result<Incoming, ToolError> {
    let all = check_all(cx, &[(markdown, kept)]).await?;
    all.into_iter().next().ok_or_else(|| ToolError::internal("a text was lost while it was checked"))
}

/// Like `check`, for several texts with the requests of one.
pub async fn check_all(cx: &Cx<'_>, texts: &[(&str, &ReplacedContent)]) -> Result<Vec<Incoming>, ToolError> {
    check_each(cx, texts, |_, error| error).await
}

/// Like `check_all`; an error about one of the texts, given by its place, names it as the caller does.
pub async fn check_each(
    cx: &Cx<'_>,
    texts: &[(&str, &ReplacedContent)],
    named: impl Fn(usize, ToolError) -> ToolError,
) -> Result<Vec<Incoming>, ToolError> {
    cx.declares(CALLS)?;
    let notebooks = cx.readable_boxes();
    let judged = |(at, (markdown, kept)): (usize, &(&str, &ReplacedContent))| {
        JudgedText::of(markdown, kept, &notebooks).map_err(|error| named(at, error))
    };
    let each = texts.iter().enumerate().map(judged).collect::<Result<Vec<JudgedText>, ToolError>>()?;
    beside_rows::refuse(cx, texts).await.map_err(|(at, error)| named(at, error))?;
    let ids: BTreeSet<String> = each.iter().flat_map(|it| it.ids.iter().cloned()).into_set();
    let bare: BTreeSet<&str> =
        each.iter().flat_map(|it| it.bare.iter().map(|(id, _)| id.as_str())).into_set();
    let bare = bare.into_iter().filter(|id| !notebooks.contains(id)).collect();
    let anchors = if ids.is_empty() { BTreeMap::new() } else { targets::anchors(cx, &ids, &bare).await? };
    Ok(each.into_iter().map(|it| it.completed(&anchors)).collect())
}

/// A text that may be sent if the caller may read what it refers to.
struct JudgedText {
    markdown: String,
    dropped: Vec<String>,
    /// The mark that closes its last code block.
    closing: Option<String>,
    /// The blocks that it refers to and did not refer to before.
    ids: BTreeSet<String>,
    /// References without an anchor: the block, and the position for the anchor.
    bare: Vec<(String, usize)>,
}

impl JudgedText {
    fn of(markdown: &str, kept: &ReplacedContent, notebooks: &[&str]) -> Result<JudgedText, ToolError> {
        let AttributedText { markdown, masked, dropped } = settled(plain(markdown), kept)?;
        refuse(&markdown, &masked, kept)?;
        // An anchor inside of an embed would be a part of its statement.
        let bare: Vec<(String, usize)> = references::bare(&embeds::blanked(&masked.text))
            .into_iter()
            .map(|it| (it.id.to_owned(), it.at))
            .collect();
        targets::few(bare.len())?;
        let is_block = |id: &str| !notebooks.contains(&id);
        let mut ids = kept.known.lacks(&masked);
        ids.retain(|id| !kept.blocks.contains_key(id) && !kept.rows_of.contains(id) && is_block(id));
        ids.extend(bare.iter().map(|(id, _)| id.clone()).filter(|id| is_block(id)));
        Ok(JudgedText { markdown, dropped, closing: masked.closing, ids, bare })
    }

    fn completed(self, anchors: &BTreeMap<String, String>) -> Incoming {
        let JudgedText { markdown, dropped: ids_dropped, closing, bare, .. } = self;
        let (mut anchored, mut from) = (String::with_capacity(markdown.len()), 0);
        for (id, at) in &bare {
            if let Some(anchor) = anchors.get(id) {
                anchored.push_str(markdown.get(from..*at).unwrap_or_default());
                anchored.push_str(&format!(" '{anchor}'"));
                from = *at;
            }
        }
        anchored.push_str(markdown.get(from..).unwrap_or_default());
        let markdown = match closing {
            // Without it, anything put behind the text would be code.
            Some(closing) => format!("{}\n{closing}", anchored.trim_end_matches('\n')),
            None => anchored,
        };
        Incoming { markdown, ids_dropped }
    }
}

/// A text with its attribute lists and its embeds settled. What one of them changes may decide about the other, so the
/// text is read again until nothing changes.
fn settled(markdown: String, kept: &ReplacedContent) -> Result<AttributedText, ToolError> {
    const MOST_ROUNDS: usize = 4;
    let (mut markdown, mut dropped) = (markdown, Vec::new());
    for _ in 0..MOST_ROUNDS {
        let settled = lists::settle(markdown, kept)?;
        dropped.extend(settled.dropped);
        markdown = embeds::printed(&settled.markdown, &settled.masked.text, &kept.embeds)?;
        if markdown == settled.markdown {
            return Ok(AttributedText { dropped, ..settled });
        }
    }
    Err(ToolError::field(
        "markdown",
        "Markdown whose query embeds are on lines of their own, outside of code",
    ))
}

/// A text with uniform line breaks and without the characters that the parser changes before it reads.
fn plain(markdown: &str) -> String {
    let text = markdown.replace("\r\n", "\n");
    let letters = text.chars().filter(|it| *it != CURSOR);
    letters
        .map(|it| match it {
            '\r' => '\n',
            // These are blanks to one half of the parser and letters to the other.
            '\u{b}' | '\u{c}' => ' ',
            '\0' => '\u{fffd}',
            it => it,
        })
        .collect()
}

/// The ids that a checked text names outside of code blocks: the caller may read those that the text it replaces did not
/// name.
pub fn named_ids(markdown: &str) -> BTreeSet<String> {
    ids::named_outside(&code::mask(markdown))
}

/// Checks a text again that was put together from checked text and from unchanged blocks: it may contain no new id,
/// no id twice, no unchecked reference, and no embed that stood in neither of them.
///
/// Pieces that were checked on their own may mean something else between others; this is the second lock.
pub fn recheck(sent: &str, checked: &str, old: &str) -> Result<(), ToolError> {
    let before: BTreeMap<String, AttributeList> = kramdown::attribute_lists(old)
        .into_iter()
        .filter_map(|it| Some((it.id()?.to_owned(), it)))
        .into_map();
    let (masked, old_masked, checked_masked) = (code::mask(sent), code::mask(old), code::mask(checked));
    let mut used = BTreeSet::new();
    let foreign = kramdown::lists(&masked.text).iter().any(|it| {
        let was = it.attributes.id().map(|id| before.get(id).filter(|_| used.insert(id.to_owned())));
        let protected = it.attributes.iter().any(|(name, value)| {
            is_protected(name)
                && name != "updated"
                && was.flatten().is_none_or(|was| was.get(name) != Some(value))
        });
        matches!(was, Some(None)) || protected
    });
    let known = PreviousIds::of(&checked_masked).and(PreviousIds::of(&old_masked));
    let mut lacking = known.lacks(&masked);
    let rows_of = rows_of(before.values());
    lacking.retain(|id| !before.contains_key(id) && !rows_of.contains(id));
    // An id that was plain text becomes a reference where two pieces join their brackets.
    let mut referred_before = referred(&checked_masked.text);
    referred_before.extend(referred(&old_masked.text));
    let refers = !referred(&masked.text).is_subset(&referred_before);
    let fold = |masked: &MaskedText| folded::folded(&masked.text).unwrap_or_default();
    let (now, was) = (fold(&masked), fold(&old_masked));
    let runs = active::active(&now).is_some() && active::active(&was).is_none();
    let raw = sinks::raw(&masked.text).is_some() && sinks::raw(&old_masked.text).is_none();
    let database = Databases::of(&now).beyond(&Databases::of(&was)).is_some();
    let page = Pages::of(&now).is_beyond(&Pages::of(&was));
    let embeds = |text, masked: &MaskedText| Embeds::of(text, &masked.text);
    let embeds_before = embeds(checked, &checked_masked).and(embeds(old, &old_masked));
    let embed = embeds(sent, &masked).is_beyond(&embeds_before);
    let leads = Addresses::of(&masked.text).beyond(&Addresses::of(&old_masked.text)).is_some();
    let places = UnsafeMarkup::of(&masked.text).beyond(&UnsafeMarkup::of(&old_masked.text)).is_some();
    let draws = Drawings::of(sent, &masked).is_beyond(&Drawings::of(old, &old_masked));
    let hides = stored::encoded_tags(&masked.text).is_beyond(&stored::encoded_tags(&old_masked.text));
    let odd = lists::is_odd(&masked.text, &[checked, old], &pairs(&old_masked));
    let shows = database || embed || page || leads || places || draws || hides;
    if foreign || refers || runs || raw || shows || odd || !lacking.is_empty() {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose code blocks begin and end on lines of their own; nothing was written",
        ));
    }
    Ok(())
}

/// The ids of the databases that contain blocks with these attributes as rows.
fn rows_of<'l>(lists: impl IntoIterator<Item = &'l AttributeList>) -> BTreeSet<String> {
    let values = lists.into_iter().filter_map(|it| it.get("custom-avs"));
    values.flat_map(|it| it.split(',')).map(str::to_owned).into_set()
}

/// The attributes in the lists of a text, those of words, pictures and cells too.
fn pairs(masked: &MaskedText) -> BTreeSet<(String, String)> {
    let lists = kramdown::lists(&masked.text);
    let each = lists.iter().flat_map(|it| it.attributes.iter());
    each.map(|(name, value)| (name.to_owned(), value.to_owned())).into_set()
}

/// The ids that stand right behind two brackets or more.
fn referred(masked: &str) -> BTreeSet<&str> {
    const ID: usize = 22;
    let behind = masked.split("((").skip(1).filter_map(|it| it.trim_start_matches('(').get(..ID));
    behind.filter(|it| crate::id::is_node_id(it)).collect()
}

/// Refuses scripts, text that the kernel prints verbatim, and databases that are new to the text.
fn refuse(markdown: &str, masked: &MaskedText, kept: &ReplacedContent) -> Result<(), ToolError> {
    let Some(folded) = folded::folded(&masked.text).filter(|_| folded::folded(&masked.fenced).is_some())
    else {
        return Err(ToolError::field("markdown", "Markdown without nested character references"));
    };
    if let Some(what) = active::active(&folded) {
        return Err(would_run(what));
    }
    if Pages::of(&folded).is_beyond(&kept.pages) {
        return Err(would_run("links to pages among the assets, such as assets/plan.html"));
    }
    if let Some(address) = Addresses::of(&masked.text).beyond(&kept.addresses) {
        let expected = format!("Markdown with {}", addresses::EXPECTED);
        return Err(ToolError::field("markdown", expected).with("address", address));
    }
    if Drawings::of(markdown, masked).is_beyond(&kept.drawings) {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose diagrams and formulas only draw: no echarts, no links, addresses, HTML or directives in diagrams, no \\href, \\url, \\html..., \\includegraphics or definitions in formulas, and colours, lengths and names as plain words; code of another language, such as text, shows anything",
        ));
    }
    if let Some(name) = UnsafeMarkup::of(&masked.text).beyond(&kept.tags) {
        return Err(ToolError::field(
            "markdown",
            format!("Markdown whose HTML does not change the page: no frames (link to the page instead), plain attributes without class and id, and styles with {}; write literal HTML as code", style::EXPECTED),
        )
        .with("attribute", name.chars().take(60).collect::<String>()));
    }
    if stored::encoded_tags(&masked.text).is_beyond(&kept.encoded_tags) {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose titles, memos and addresses contain no HTML, not even in percent codes such as %3C",
        ));
    }
    if let Some(expected) = sinks::raw(&masked.text) {
        return Err(ToolError::field("markdown", expected));
    }
    if references::has_tag_in_anchor(&masked.text) {
        return Err(ToolError::field("markdown", "Markdown whose references show plain text, without tags"));
    }
    if let Some(database) = Databases::of(&folded).beyond(&kept.databases) {
        return Err(ToolError::field(
            "markdown",
            "Markdown without new database blocks; create a database with the tool av",
        )
        .with("database", database.chars().take(200).collect::<String>()));
    }
    Ok(())
}

fn would_run(what: &str) -> ToolError {
    ToolError::field(
        "markdown",
        format!("Markdown without active content; remove {what}, or write it as code"),
    )
}

/// Refuses a stored text that SiYuan would write again for an agent, if one of its embeds is none that an agent may
/// write. The field is the argument that names the text; the end of the sentence says what to do.
pub fn refuse_stored_embeds<'a>(
    field: &'static str,
    what: &str,
    scripts: impl IntoIterator<Item = &'a str>,
) -> Result<(), ToolError> {
    match scripts.into_iter().find_map(embeds::fault) {
        None => Ok(()),
        Some(why) => Err(stored_embed(field, what, &why)),
    }
}

/// Like `refuse_stored_embeds`, for the embeds of a Markdown text.
pub fn refuse_embeds_in(field: &'static str, what: &str, text: &str) -> Result<(), ToolError> {
    match embeds::first_fault(text) {
        None => Ok(()),
        Some(why) => Err(stored_embed(field, what, &why)),
    }
}

fn stored_embed(field: &'static str, what: &str, why: &str) -> ToolError {
    ToolError::field(
        field,
        format!(
            "{what} without query embeds that agents may not write; one of them has {why}. A person can do this in SiYuan"
        ),
    )
}

/// Whether a drawing or a formula of a stored block runs, links or styles something.
pub fn draws_more(markdown: &str) -> bool {
    !Drawings::of(markdown, &code::mask(markdown)).is_empty()
}

/// The way in which a stored text reaches beyond its note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideReach {
    /// A page in a frame.
    Frame,
    /// An address at which SiYuan acts, or that starts a program at a click.
    Address,
}

/// Whether a stored block shows a page or holds an address that agents may not write.
pub fn shown_by(markdown: &str) -> Option<OutsideReach> {
    let masked = code::mask(markdown);
    if UnsafeMarkup::of(&masked.text).has_frame() {
        return Some(OutsideReach::Frame);
    }
    let leads = Addresses::of(&masked.text).beyond(&Addresses::default()).is_some();
    let acts = || folded::folded(&masked.text).is_none_or(|it| active::active(&it).is_some());
    (leads || acts()).then_some(OutsideReach::Address)
}

/// Whether the text of a block would act as the name of a group in a database.
pub fn would_run_in_group(text: &str) -> bool {
    !ActingTags::of(text).is_empty()
}

/// Whether a Markdown text would act as such a name, or may once the target of one of its references changes.
pub fn may_run_in_group(markdown: &str) -> bool {
    !RowText::of(markdown).is_empty()
}

/// Whether a Markdown text has more of what may act in such a name than another.
pub fn more_may_run_in_group(markdown: &str, other: &str) -> bool {
    RowText::of(markdown).is_beyond(&RowText::of(other))
}

/// Whether blocks of these documents are rows of databases (`FLUSH_TRANSACTION`, `SQL`). None becomes one before the
/// call has ended.
pub async fn have_rows(docs: &[&DocId], cx: &Cx<'_>) -> Result<bool, ToolError> {
    beside_rows::are_in(docs, cx).await
}

#[cfg(test)]
mod callers;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod recorded_dom;
#[cfg(test)]
mod recorded_embeds;
#[cfg(test)]
mod style_tests;
#[cfg(test)]
pub(super) mod tests;
