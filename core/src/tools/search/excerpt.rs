//! The text of a hit: HTML decoded, matches marked by `**`, cut around the first match.

/// One character and whether it belongs to a match.
#[derive(Clone, Copy)]
struct ExcerptChar {
    char: char,
    marked: bool,
}

/// The kernel's `content` with `<mark>` and entities, as text of at most `max` characters.
pub(super) fn excerpt(content: &str, max: usize) -> String {
    let letters = letters(content);
    let whole = rendered(&letters);
    if whole.chars().count() <= max {
        return whole;
    }
    let first = letters.iter().position(|it| it.marked).unwrap_or_default();
    // A quarter of the room goes before the match, or more if the text ends soon after it.
    let from = first.saturating_sub(max / 4).min(letters.len().saturating_sub(max.saturating_sub(8)));
    let mut upto = (from + max).min(letters.len());
    loop {
        let mut text = rendered(letters.get(from..upto).unwrap_or_default());
        if from > 0 {
            text.insert(0, '…');
        }
        if upto < letters.len() {
            text.push('…');
        }
        let over = text.chars().count().saturating_sub(max);
        if over == 0 || upto <= from {
            return text;
        }
        upto = upto.saturating_sub(over).max(from);
    }
}

/// Text from the kernel without HTML: entities decoded, no marks.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in text.split("<mark>").flat_map(|it| it.split("</mark>")) {
        decode(piece, &mut out);
    }
    out
}

fn letters(content: &str) -> Vec<ExcerptChar> {
    let mut out: Vec<ExcerptChar> = Vec::with_capacity(content.len());
    let mut add = |html: &str, marked: bool| {
        let mut text = String::new();
        decode(html, &mut text);
        for char in text.chars() {
            // A single blank replaces any run of white space: a row is one line.
            let char = if char.is_whitespace() { ' ' } else { char };
            if char != ' ' || out.last().is_some_and(|it| it.char != ' ') {
                out.push(ExcerptChar { char, marked });
            }
        }
    };
    for (at, piece) in content.split("<mark>").enumerate() {
        match piece.split_once("</mark>") {
            Some((inside, after)) if at > 0 => {
                add(inside, true);
                add(after, false);
            }
            _ => add(piece, false),
        }
    }
    while out.last().is_some_and(|it| it.char == ' ') {
        out.pop();
    }
    out
}

fn rendered(letters: &[ExcerptChar]) -> String {
    let mut out = String::new();
    let mut inside = false;
    for letter in letters {
        if letter.marked != inside {
            out.push_str("**");
            inside = letter.marked;
        }
        out.push(letter.char);
    }
    if inside {
        out.push_str("**");
    }
    out
}

/// Decodes the entities that the kernel writes, each once, so that `&amp;lt;` becomes `&lt;`.
fn decode(html: &str, out: &mut String) {
    const ENTITIES: [(&str, char); 7] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&#34;", '"'),
        ("&#39;", '\''),
        ("&apos;", '\''),
    ];
    let mut rest = html;
    while let Some((before, from)) = rest.find('&').map(|at| rest.split_at(at)) {
        out.push_str(before);
        let known = ENTITIES.iter().find_map(|(entity, char)| Some((from.strip_prefix(entity)?, char)));
        rest = match known {
            Some((after, char)) => {
                out.push(*char);
                after
            }
            None => {
                out.push('&');
                from.strip_prefix('&').unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::{excerpt, plain};

    #[test]
    fn excerpt_marks_become_stars_and_entities_are_decoded() {
        assert_eq!(excerpt("a &lt;b&gt; <mark>x &amp; y</mark>\n  &#39;q&#39;", 200), "a <b> **x & y** 'q'");
        assert_eq!(excerpt("&amp;lt; & &unknown;", 200), "&lt; & &unknown;");
        assert_eq!(excerpt("&lt;mark&gt; is text", 200), "<mark> is text");
        assert_eq!(plain("/a &amp; b/<mark>c</mark>"), "/a & b/c");
    }

    #[test]
    fn long_excerpt_is_cut_around_the_first_match() {
        let long = format!("{}<mark>needle</mark>{}", "字 ".repeat(300), " z".repeat(300));
        let text = excerpt(&long, 200);
        assert!(text.chars().count() <= 200, "{}", text.chars().count());
        assert!(text.contains("**needle**") && text.starts_with('…') && text.ends_with('…'), "{text}");
        // There is text before the match, and more after it.
        let before = text.split("**").next().unwrap_or_default().chars().count();
        assert!((30..80).contains(&before), "{text}");
        let at_the_end = excerpt(&format!("{}<mark>needle</mark>", "x".repeat(900)), 200);
        assert!(at_the_end.ends_with("**needle**") && at_the_end.chars().count() > 190, "{at_the_end}");
    }

    #[test]
    fn match_longer_than_the_excerpt_keeps_its_closing_mark() {
        let text = excerpt(&format!("<mark>{}</mark>", "m".repeat(500)), 200);
        assert_eq!(text.chars().count(), 200);
        assert!(text.starts_with("**m") && text.ends_with("m**…"), "{text}");
    }
}
