//! Questions in plain text, for a client's form and for a terminal.
//!
//! The page lays out the same model with links; here titles stand in quotes, one to a line where there are several.

use puppy_core::ask::words::{
    Language, QuestionLine, Tone, capital, deed, flat, lines, place, quoted, wants,
};
use puppy_core::ask::{Ask, Thing};
use puppy_core::spec::Verb;

/// The question for a client's form, in English: the language of the client is unknown.
pub(crate) fn form_text(ask: &Ask) -> String {
    let language = Language::English;
    let mut text = format!("{}.", flat(&wants("", ask, language), language));
    for line in lines(ask, language).iter().flat_map(|it| spelled(it, language)) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// The deed alone, in English.
pub(crate) fn deed_of(ask: &Ask) -> String {
    capital(&flat(&deed(ask, Language::English), Language::English))
}

/// The question on a terminal: the lists and labels, then the deed and the sentences about its cost on one line, so that
/// no list pushes these out of sight.
pub(crate) fn on_terminal(ask: &Ask, language: Language) -> (Vec<String>, String) {
    let (question, gap) = match language {
        Language::English => ("?", " "),
        Language::Chinese => ("？", ""),
    };
    let mut all = lines(ask, language);
    if ask.verb == Verb::PutBack {
        // The list of all documents must not push out of sight those that go.
        all.sort_by_key(|it| it.tone != Tone::Loss);
    }
    let deed = capital(&flat(&deed(ask, language), language));
    let (mut above, mut sentences) = (Vec::new(), vec![format!("{deed}{question}")]);
    for line in &all {
        let is_sentence = line.text.ends_with(['.', '。']);
        let has_list = !line.things.is_empty() || !line.texts.is_empty();
        if has_list || !is_sentence {
            above.extend(spelled(line, language));
        }
        if is_sentence {
            sentences.push(line.text.clone());
        }
    }
    (above, sentences.join(gap))
}

/// A line with its list.
fn spelled(line: &QuestionLine<'_>, language: Language) -> Vec<String> {
    let more = Some(format!("  {}", line.more)).filter(|_| !line.more.is_empty());
    if line.tone == Tone::Things && line.text.is_empty() {
        return line.things.iter().map(|it| row(it, language)).chain(more).collect();
    }
    if !line.texts.is_empty() {
        let text = |(old, new): &(String, String)| match new.as_str() {
            "" => format!("  {}", quoted(old, language)),
            new => format!("  {} → {}", quoted(old, language), quoted(new, language)),
        };
        return std::iter::once(line.text.clone()).chain(line.texts.iter().map(text)).chain(more).collect();
    }
    if line.things.is_empty() {
        return vec![line.text.clone()];
    }
    let names: Vec<String> = line.things.iter().map(|it| quoted(&it.title, language)).collect();
    let start = line.text.trim_end_matches(['.', '。', ':', '：']);
    vec![match language {
        Language::English if line.more.is_empty() => format!("{start}: {}", names.join(", ")),
        Language::English => format!("{start}: {} {}", names.join(", "), line.more),
        // A clause after the names needs a comma, and 等 none.
        Language::Chinese if line.more.starts_with('另') => {
            format!("{start}：{}，{}", names.join("、"), line.more)
        }
        Language::Chinese => format!("{start}：{}{}", names.join("、"), line.more),
    }]
}

fn row(thing: &Thing, language: Language) -> String {
    let title = quoted(&thing.title, language);
    match (place(thing).as_str(), language) {
        ("", _) => format!("  {title}"),
        (place, Language::English) => format!("  {title} ({place})"),
        (place, Language::Chinese) => format!("  {title}（{place}）"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use puppy_core::ask::{About, Book, Consequence, Texts, ThingKind, Things};
    use puppy_core::spec::Back;

    use super::*;

    fn check(ask: &Ask, english: &Expect, chinese: &Expect) {
        for (language, due) in [(Language::English, english), (Language::Chinese, chinese)] {
            let (above, last) = on_terminal(ask, language);
            due.assert_eq(&format!(
                "{}{last}\n",
                above.iter().map(|it| format!("{it}\n")).collect::<String>()
            ));
        }
    }

    fn thing(title: &str) -> Thing {
        Thing {
            notebook: Some(Book { name: "Garden".to_owned(), icon: String::new() }),
            place: "/Beds".to_owned(),
            ..Thing::titled(title)
        }
    }

    fn two(more: u64) -> Things {
        Things { n: 2 + more, ..Things::of([thing("Basil"), thing("Mint")]) }
    }

    fn ask(verb: Verb, kind: ThingKind, things: Things, effects: Vec<Consequence>) -> Ask {
        let other = Some(Thing::titled("Books"));
        Ask { verb, back: Back::DataHistory, about: About { kind, things, effects, other } }
    }

    /// Documents that go are named before those that come back.
    #[test]
    fn putting_back_names_what_goes_first() {
        let removed = Consequence::Removed(Things::of([thing("Basil")]));
        let back = |n, effects| ask(Verb::PutBack, ThingKind::Document, two(n), effects);
        check(
            &back(1, vec![Consequence::Stays(Things::of([thing("Sage")])), removed.clone()]),
            &expect![[r#"
                These documents are removed: “Basil”
                  “Basil” (Garden / Beds)
                  “Mint” (Garden / Beds)
                  and 1 more
                These documents stay as they are: “Sage”
                Remove 1 document that a run created and put 2 documents back to their state before it? You can restore it from Data History.
            "#]],
            &expect![[r#"
                将移除以下文档：“Basil”
                  “Basil”（Garden / Beds）
                  “Mint”（Garden / Beds）
                  另有 1 项
                以下文档保持不变：“Sage”
                移除某次运行新建的 1 篇文档，并将 2 篇文档放回该次运行之前的状态？可以从数据历史中恢复。
            "#]],
        );
        let all = ask(Verb::PutBack, ThingKind::Document, Things::of([thing("Basil")]), vec![removed]);
        check(
            &all,
            &expect![[r#"
            These documents are removed: “Basil”
            In “Garden / Beds”
            Remove “Basil”, which a run created? You can restore it from Data History.
        "#]],
            &expect![[r#"
            将移除以下文档：“Basil”
            位于“Garden / Beds”
            移除某次运行新建的“Basil”？可以从数据历史中恢复。
        "#]],
        );
    }

    /// B-098: each sentence ends with a full stop, and each list follows a colon.
    #[test]
    fn sentences_and_lists_are_punctuated() {
        let breaks = Consequence::Breaks { refs: 9, documents: two(3) };
        let below = Consequence::Below(Things { n: 2, ..two(0) });
        check(
            &ask(Verb::Delete, ThingKind::Document, two(4), vec![below, breaks]),
            &expect![[r#"
                  “Basil” (Garden / Beds)
                  “Mint” (Garden / Beds)
                  and 4 more
                Below: “Basil”, “Mint”
                9 references in 5 documents will break: “Basil”, “Mint” and 3 more
                Delete 6 documents and 2 documents below them? 9 references in 5 documents will break. You can restore it from Data History.
            "#]],
            &expect![[r#"
                  “Basil”（Garden / Beds）
                  “Mint”（Garden / Beds）
                  另有 4 项
                其下文档：“Basil”、“Mint”
                5 篇文档中的 9 处引用将失效：“Basil”、“Mint”，另有 3 项
                删除 6 篇文档及其下 2 篇文档？5 篇文档中的 9 处引用将失效。可以从数据历史中恢复。
            "#]],
        );
        let texts = Texts { texts: vec![("spring".to_owned(), "autumn".to_owned())], n: 70 };
        check(
            &ask(
                Verb::Replace,
                ThingKind::Text,
                Things::of([Thing::titled("spring")]),
                vec![
                    Consequence::Changes(texts),
                    Consequence::Across { blocks: 70, documents: 1, first: vec![thing("Jobs")] },
                ],
            ),
            &expect![[r#"
                In “Garden / Beds”
                This text changes:
                  “spring” → “autumn”
                  and 69 more
                Replace “spring” with “Books” in 70 blocks of “Jobs”? You can restore it from Data History.
            "#]],
            &expect![[r#"
                位于“Garden / Beds”
                将更改：
                  “spring” → “autumn”
                  另有 69 项
                将“Jobs”的 70 个内容块中的“spring”替换为“Books”？可以从数据历史中恢复。
            "#]],
        );
        let setting = |name: &str, from: &str, to: &str| Consequence::Setting {
            name: name.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let settings =
            vec![setting("docCreateSavePath", "", "/New"), setting("dailyNoteTemplatePath", "", "")];
        check(
            &ask(Verb::Set, ThingKind::Notebook, Things::of([Thing::titled("Books")]), settings),
            &expect![[r#"
                Place of new documents: nothing → “/New”
                Template of daily notes: nothing
                Change settings of the notebook “Books”? You can restore it from Data History.
            "#]],
            &expect![[r#"
                新建文档的位置：空 → “/New”
                日记的模板：空
                更改笔记本“Books”的设置？可以从数据历史中恢复。
            "#]],
        );
        check(
            &ask(
                Verb::Delete,
                ThingKind::File,
                Things::of([Thing::titled("a.png")]),
                vec![Consequence::Size(10)],
            ),
            &expect![[r#"
                Size: 10 B
                Delete the unused file “a.png”? You can restore it from Data History.
            "#]],
            &expect![[r#"
                大小：10 B
                删除未使用的文件“a.png”？可以从数据历史中恢复。
            "#]],
        );
        check(
            &ask(
                Verb::Move,
                ThingKind::Document,
                Things::of([thing("Basil")]),
                vec![Consequence::OtherRules],
            ),
            &expect![[r#"
                In “Garden / Beds”
                Move “Basil” to the notebook “Books”? The other notebook may have other permissions and readers. You can restore it from Data History.
            "#]],
            &expect![[r#"
                位于“Garden / Beds”
                将“Basil”移动到笔记本“Books”？目标笔记本的权限和可见范围可能不同。可以从数据历史中恢复。
            "#]],
        );
    }
}
