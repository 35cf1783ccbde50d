//! Questions in words: one table for both languages, and the pieces that a reader lays out.
//!
//! A deed begins with its verb. Titles are short, so the numbers after them stay visible.

mod table;

use super::{About, Ask, Consequence, Texts, Thing, ThingKind, Things};
use crate::permission::Level;
use crate::spec::{Back, Verb};
use table::Pair;

/// A language of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese.
    Chinese,
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentencePiece<'a> {
    /// Words of this product.
    Text(String),
    /// A name from somebody else, shown as one.
    Name(&'a str),
    /// A thing, by its title; a page links it.
    Thing(&'a Thing),
}

/// The weight of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The things themselves.
    Things,
    /// Losses and things that break.
    Loss,
    /// Anything else that a person should know.
    Note,
    /// The way back.
    Back,
}

/// A line below the deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionLine<'a> {
    /// Its weight.
    pub tone: Tone,
    /// The sentence; empty for a bare list.
    pub text: String,
    /// The things that it lists.
    pub things: &'a [Thing],
    /// The texts that it lists.
    pub texts: &'a [(String, String)],
    /// The rest of the list in words, such as `and 4 more`; empty if all is listed.
    pub more: String,
}

impl Language {
    /// The language of a tag or locale such as `zh_CN.UTF-8`; English for every other one.
    pub fn of(tag: &str) -> Language {
        match tag.get(..2) {
            Some(start) if start.eq_ignore_ascii_case("zh") => Language::Chinese,
            _ => Language::English,
        }
    }

    const fn pick(self, (english, chinese): Pair) -> &'static str {
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// A number of things in words: `1 document`, `9 documents`.
    fn counted(self, n: u64, one: Pair, many: Pair) -> String {
        self.pick(if n == 1 { one } else { many }).replace("{n}", &n.to_string())
    }

    /// A number in the middle of a sentence: in Chinese a space stands before it, and none before a title.
    fn spaced(self, number: String) -> String {
        if self == Language::Chinese { format!(" {number}") } else { number }
    }

    fn documents(self, n: u64) -> String {
        self.counted(n, table::DOCUMENT, table::DOCUMENTS)
    }

    /// The name of a level, as the panel calls it.
    pub const fn level(self, level: Level) -> &'static str {
        self.pick(table::level(level))
    }

    /// The name of the level that a word stands for.
    pub fn level_of(self, word: &str) -> Option<&'static str> {
        Level::ALL.into_iter().find(|it| it.word() == word).map(|it| self.level(it))
    }
}

/// The client and its deed: `Claude wants to delete “Plants”`.
pub fn wants<'a>(client: &'a str, ask: &'a Ask, language: Language) -> Vec<SentencePiece<'a>> {
    let mut pieces = if client.is_empty() {
        vec![SentencePiece::Text(language.pick(table::SOMEBODY).to_owned())]
    } else {
        vec![SentencePiece::Name(client)]
    };
    pieces.push(SentencePiece::Text(language.pick(table::WANTS).to_owned()));
    pieces.extend(deed(ask, language));
    pieces
}

/// The deed: `delete “Plants” and 9 documents below it`.
pub fn deed(ask: &Ask, language: Language) -> Vec<SentencePiece<'_>> {
    filled(language.pick(table::deed(ask)), |hole| hole_of(&ask.about, hole, language))
}

/// The deed without things, in the plural, for an errand that a question offered: `delete documents`.
pub fn deeds(verb: Verb, kind: ThingKind, language: Language) -> &'static str {
    language.pick(table::deeds(verb, kind))
}

/// The lines below the deed: the things, what breaks or is lost, the way back.
pub fn lines(ask: &Ask, language: Language) -> Vec<QuestionLine<'_>> {
    let mut lines: Vec<QuestionLine<'_>> = things(ask, language).into_iter().collect();
    // A change without a way back is a loss too.
    let tone = if ask.back == Back::Never { Tone::Loss } else { Tone::Back };
    let back = QuestionLine::of(tone, language.pick(table::back_of(ask)).to_owned());
    let effects = ask.about.effects.iter().filter_map(|it| effect(&ask.about, it, language));
    let all: Vec<QuestionLine<'_>> = effects.chain([back]).collect();
    // Within a weight the action's own order remains.
    for tone in [Tone::Things, Tone::Loss, Tone::Note, Tone::Back] {
        lines.extend(all.iter().filter(|it| it.tone == tone).cloned());
    }
    lines
}

/// The place of a thing: `Garden / Beds`; empty where it is unknown. It closes no quotes around it.
pub fn place(thing: &Thing) -> String {
    let notebook = thing.notebook.as_ref().map(|it| it.name.as_str());
    let above = thing.place.split('/').filter(|it| !it.is_empty());
    enclosed(&notebook.into_iter().chain(above).collect::<Vec<_>>().join(" / "))
}

/// The name of a client: bare if it looks like one, else in quotes, because it could be a sentence.
pub fn named(name: &str) -> String {
    const LONGEST: usize = 32;
    let is_plain = |it: char| it.is_alphanumeric() || " -_./@+()".contains(it);
    if name.chars().all(is_plain) && !name.contains(". ") && name.chars().count() <= LONGEST {
        isolated(name)
    } else {
        format!("“{}”", enclosed(name))
    }
}

/// A sentence as plain text, with titles in quotes.
pub fn flat(pieces: &[SentencePiece<'_>], language: Language) -> String {
    let flat = pieces.iter().map(|it| match it {
        SentencePiece::Text(text) => text.clone(),
        SentencePiece::Name(name) => named(name),
        SentencePiece::Thing(thing) => quoted(&thing.title, language),
    });
    flat.collect()
}

/// The first letter as a capital, for a sentence that begins with a deed.
pub fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |it| it.to_uppercase().chain(characters).collect())
}

/// A title in quotes, which it cannot close itself.
pub fn quoted(title: &str, language: Language) -> String {
    if title.is_empty() {
        return language.pick(table::NAMELESS).to_owned();
    }
    format!("“{}”", enclosed(title))
}

/// A text without quotation marks, which could end those around it.
fn enclosed(text: &str) -> String {
    isolated(&text.replace(['"', '“', '”', '„', '‟', '＂', '″', '〝', '〞', '❝', '❞', '«', '»'], "'"))
}

/// A text that is written from right to left turns no others around it.
pub fn isolated(text: &str) -> String {
    let turns = |it| matches!(it, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    if text.contains(turns) { format!("\u{2068}{text}\u{2069}") } else { text.to_owned() }
}

impl<'a> QuestionLine<'a> {
    fn of(tone: Tone, text: String) -> QuestionLine<'a> {
        QuestionLine { tone, text, things: &[], texts: &[], more: String::new() }
    }

    fn with(self, things: &'a Things, language: Language) -> QuestionLine<'a> {
        self.listing(&things.first, things.more(), language)
    }

    fn listing(self, things: &'a [Thing], more: u64, language: Language) -> QuestionLine<'a> {
        let more = if things.is_empty() { 0 } else { more };
        QuestionLine { things, more: rest(more, language), ..self }
    }
}

/// The rest of a list in words; empty if there is none.
fn rest(n: u64, language: Language) -> String {
    if n == 0 { String::new() } else { language.pick(table::MORE).replace("{n}", &n.to_string()) }
}

/// The line of a place; none where it is unknown.
fn within<'a>(place: &str, language: Language) -> Option<QuestionLine<'a>> {
    let text = language.pick(table::IN).replace("{place}", place);
    (!place.is_empty()).then(|| QuestionLine::of(Tone::Things, text))
}

/// The line of the things: the place of a single one, else a list.
fn things(ask: &Ask, language: Language) -> Option<QuestionLine<'_>> {
    let things = &ask.about.things;
    match things.first.as_slice() {
        [] => None,
        [one] if things.n <= 1 || ask.about.kind == ThingKind::Reference => within(&place(one), language),
        _ => Some(QuestionLine::of(Tone::Things, String::new()).with(things, language)),
    }
}

/// The line of the documents in which it happens: the place of a single one that the deed names, else their names.
fn across<'a>(about: &'a About, first: &'a [Thing], n: u64, language: Language) -> Option<QuestionLine<'a>> {
    match about.document() {
        Some(one) if table::names_document(about) => within(&place(one), language),
        Some(one) => {
            let title = enclosed(&one.title);
            let parts = [place(one), title].into_iter().filter(|it| !it.is_empty());
            within(&parts.collect::<Vec<_>>().join(" / "), language)
        }
        None if first.is_empty() => None,
        None => {
            let more = n.saturating_sub(first.len() as u64);
            Some(QuestionLine::of(Tone::Things, String::new()).listing(first, more, language))
        }
    }
}

fn effect<'a>(about: &'a About, effect: &'a Consequence, language: Language) -> Option<QuestionLine<'a>> {
    let loss = |text| QuestionLine::of(Tone::Loss, text);
    let note = |pair| QuestionLine::of(Tone::Note, language.pick(pair).to_owned());
    Some(match effect {
        Consequence::Below(below) if below.first.is_empty() => return None,
        Consequence::Below(below) => {
            QuestionLine::of(Tone::Things, language.pick(table::BELOW).to_owned()).with(below, language)
        }
        Consequence::Removed(things) => loss(language.pick(table::REMOVED).to_owned()).with(things, language),
        Consequence::Moved(things) => note(table::MOVED).with(things, language),
        Consequence::Stays(things) => note(table::STAYS).with(things, language),
        Consequence::Keeps(things) => note(table::KEEPS).with(things, language),
        Consequence::Overwrites(things) => {
            loss(language.pick(table::OVERWRITES).to_owned()).with(things, language)
        }
        Consequence::Irreversible => loss(language.pick(table::IRREVERSIBLE).to_owned()),
        Consequence::Others(n) => loss(language.counted(*n, table::OTHER_CHANGE, table::OTHER_CHANGES)),
        Consequence::Breaks { refs, documents } => {
            let text = match documents.n {
                0 => language.counted(*refs, table::REFERENCE, table::REFERENCES),
                n => {
                    let text = language.counted(*refs, table::REFERENCE_IN, table::REFERENCES_IN);
                    text.replace("{documents}", &language.documents(n))
                }
            };
            let all = loss(text).with(documents, language);
            let is_open = documents.n == 0 && !documents.first.is_empty();
            if is_open { QuestionLine { more: language.pick(table::OTHERS).to_owned(), ..all } } else { all }
        }
        Consequence::Rows(rows) => {
            loss(language.counted(rows.n, table::ROW, table::ROWS)).with(rows, language)
        }
        Consequence::Blocks(blocks) => loss(language.counted(*blocks, table::BLOCK_GOES, table::BLOCKS_GO)),
        Consequence::Values(values) => loss(language.counted(*values, table::VALUE, table::VALUES)),
        Consequence::Goes(texts) => listed(Tone::Loss, table::GOES, texts, language)?,
        Consequence::Changes(texts) => listed(Tone::Loss, table::CHANGES, texts, language)?,
        Consequence::Comes(texts) => listed(Tone::Note, table::COMES, texts, language)?,
        Consequence::Look => QuestionLine { tone: Tone::Loss, ..note(table::LOOK) },
        Consequence::Learning => QuestionLine { tone: Tone::Loss, ..note(table::LEARNING) },
        Consequence::Merges => QuestionLine { tone: Tone::Loss, ..note(table::MERGES) },
        Consequence::Vanishes => note(table::VANISHES),
        Consequence::OtherRules => note(table::OTHER_RULES),
        Consequence::Size(bytes) => {
            QuestionLine::of(Tone::Note, language.pick(table::SIZE).replace("{size}", &size(*bytes)))
        }
        Consequence::Setting { name, from, to } => {
            let name = table::setting(name).map_or(name.as_str(), |it| language.pick(it));
            let value = |it: &str| {
                if it.is_empty() { language.pick(table::NOTHING).to_owned() } else { quoted(it, language) }
            };
            let change = if from == to { value(to) } else { format!("{} → {}", value(from), value(to)) };
            QuestionLine::of(Tone::Note, format!("{name}{}{change}", language.pick(table::COLON)))
        }
        Consequence::Bounds { changes, deletes, minutes, .. } => {
            QuestionLine::of(Tone::Note, bounds(*changes, *deletes, *minutes, language))
        }
        Consequence::Across { documents, first, .. } => across(about, first, *documents, language)?,
        // The deed itself names these.
        Consequence::Level { .. } | Consequence::Format(_) => return None,
    })
}

/// The numbers of an errand, which are ours.
fn bounds(changes: u64, deletes: u64, minutes: u64, language: Language) -> String {
    let sentence = if deletes == 0 { table::BOUNDS_WITHOUT_DELETIONS } else { table::BOUNDS };
    let numbers = [
        ("{changes}", language.counted(changes, table::CHANGE_MOST, table::CHANGES_MOST)),
        ("{deletes}", language.counted(deletes, table::DELETION, table::DELETIONS)),
        ("{minutes}", language.counted(minutes, table::MINUTE, table::MINUTES)),
    ];
    let sentence = language.pick(sentence).to_owned();
    numbers.iter().fold(sentence, |sentence, (hole, number)| sentence.replace(hole, number))
}

fn listed(tone: Tone, title: Pair, texts: &Texts, language: Language) -> Option<QuestionLine<'_>> {
    let more = rest(texts.more(), language);
    let text = language.pick(title).to_owned();
    (!texts.texts.is_empty()).then(|| QuestionLine {
        texts: &texts.texts,
        more,
        ..QuestionLine::of(tone, text)
    })
}

/// A sentence with its holes filled.
fn filled<'a>(sentence: &str, hole: impl Fn(&str) -> Vec<SentencePiece<'a>>) -> Vec<SentencePiece<'a>> {
    let mut pieces = Vec::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        if !before.is_empty() {
            pieces.push(SentencePiece::Text(before.to_owned()));
        }
        pieces.extend(hole(name));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(SentencePiece::Text(rest.to_owned()));
    }
    pieces
}

fn hole_of<'a>(about: &'a About, hole: &str, language: Language) -> Vec<SentencePiece<'a>> {
    static NAMELESS: Thing = Thing { title: String::new(), place: String::new(), notebook: None, id: None };
    let find =
        |of: &dyn Fn(&Consequence) -> Option<String>| about.effects.iter().find_map(of).unwrap_or_default();
    let thing = |it: Option<&'a Thing>| vec![SentencePiece::Thing(it.unwrap_or(&NAMELESS))];
    let deeper = |pair| filled(language.pick(pair), |hole| hole_of(about, hole, language));
    let text = match hole {
        "it" => return thing(about.things.first.first()),
        "other" => return thing(about.other.as_ref()),
        "document" => return thing(about.document()),
        "database" => return deeper(table::database(about)),
        "across" => return deeper(table::ACROSS),
        "documents" if about.document().is_some() => return thing(about.document()),
        // A moment or another word that needs no quotes.
        "when" => about.other.as_ref().map(|it| it.title.clone()).unwrap_or_default(),
        "purpose" => find(&|it| match it {
            Consequence::Bounds { purpose, .. } => Some(quoted(purpose, language)),
            _ => None,
        }),
        "n" => about.things.n.to_string(),
        "below" => language.documents(about.below()),
        "removed" => language.documents(table::removed(about)),
        "rest" => language.documents(about.things.n.saturating_sub(table::removed(about))),
        "documents" => find(&|it| match it {
            Consequence::Across { documents, .. } => Some(language.spaced(language.documents(*documents))),
            _ => None,
        }),
        "blocks" => find(&|it| match it {
            Consequence::Across { blocks, .. } => {
                Some(language.counted(*blocks, table::BLOCK, table::BLOCKS))
            }
            _ => None,
        }),
        "format" => find(&|it| match it {
            Consequence::Format(format) => Some(table::format(format)),
            _ => None,
        }),
        "from" | "to" => find(&|it| match it {
            Consequence::Level { from, to } => {
                let word = if hole == "to" { to } else { from };
                Some(language.level_of(word).unwrap_or(word).to_owned())
            }
            _ => None,
        }),
        _ => String::new(),
    };
    vec![SentencePiece::Text(text)]
}

/// A size in a unit that fits.
fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} B"),
    }
}
