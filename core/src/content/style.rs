//! The style of a block or of words, as far as an agent may write it: colours, sizes and alignment.
//!
//! SiYuan puts a stored style into its window unchanged, and a style that positions something can cover a question.
//! So a style is read by the grammar below and printed again; everything else is refused.

/// The expected form, for errors.
pub const EXPECTED: &str = "colours, sizes and alignment only, such as color: red; background-color: var(--b3-font-background1); font-size: 18px; text-align: center; width: 50%";

/// The maximum length of a style in bytes.
const MOST: usize = 1_000;

/// The maximum width or height in pixels.
const MOST_PX: f32 = 4_000.0;

/// The styles that SiYuan's own menu writes for hollow words and for words with a shadow.
const HOLLOW: &str = "0.2px var(--b3-theme-on-background)";
const SHADOW: &str = "1px 1px var(--b3-theme-surface-lighter), 2px 2px var(--b3-theme-surface-lighter), 3px 3px var(--b3-theme-surface-lighter), 4px 4px var(--b3-theme-surface-lighter)";

/// The form of a property's value.
enum ValueForm {
    Colour,
    /// A size of letters.
    Letters,
    /// A length on the page.
    Length,
    /// Zeros and `auto`, which align a frame.
    Margin,
    Words(&'static [&'static str]),
}

/// The form of a property; `None` for a property that is refused.
fn form(name: &str) -> Option<ValueForm> {
    Some(match name {
        "color" | "background-color" | "background" | "--b3-parent-background" => ValueForm::Colour,
        "font-size" => ValueForm::Letters,
        "width" | "height" | "min-width" | "max-width" => ValueForm::Length,
        "margin" => ValueForm::Margin,
        "font-weight" => ValueForm::Words(&[
            "normal", "bold", "bolder", "lighter", "100", "200", "300", "400", "500", "600", "700", "800",
            "900",
        ]),
        "font-style" => ValueForm::Words(&["normal", "italic", "oblique"]),
        "text-decoration" => ValueForm::Words(&["none", "underline", "line-through", "overline"]),
        "text-align" => ValueForm::Words(&["left", "center", "right", "justify", "start", "end"]),
        "vertical-align" => ValueForm::Words(&[
            "baseline",
            "top",
            "middle",
            "bottom",
            "sub",
            "super",
            "text-top",
            "text-bottom",
        ]),
        "direction" => ValueForm::Words(&["ltr", "rtl"]),
        "flex" => ValueForm::Words(&["none", "1", "1 1 0%", "0 0 auto"]),
        "-webkit-text-stroke" => ValueForm::Words(&[HOLLOW]),
        "-webkit-text-fill-color" => ValueForm::Words(&["transparent"]),
        "text-shadow" => ValueForm::Words(&[SHADOW]),
        _ => return None,
    })
}

/// Prints an accepted style in SiYuan's form; `None` if it holds anything beyond the grammar.
pub fn printed(style: &str) -> Option<String> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " -#().,%:;".contains(it);
    if style.len() > MOST || !style.chars().all(is_plain) {
        return None;
    }
    let style = style.to_ascii_lowercase();
    let mut out: Vec<String> = Vec::new();
    for declaration in style.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (name, value) = declaration.split_once(':')?;
        let (name, value) = (name.trim(), value.split_whitespace().collect::<Vec<_>>().join(" "));
        fits(&form(name)?, &value).then(|| out.push(format!("{name}: {value};")))?;
    }
    Some(out.join(" "))
}

/// Prints the styles of a table's columns, which stand behind each other.
pub fn printed_columns(styles: &str) -> Option<String> {
    let each: Option<Vec<String>> = styles.split('|').map(printed).collect();
    Some(each?.join("|"))
}

fn fits(form: &ValueForm, value: &str) -> bool {
    match form {
        ValueForm::Colour => is_colour(value),
        ValueForm::Letters => {
            is_between(value, "px", 9.0, 72.0)
                || is_between(value, "em", 0.56, 4.5)
                || is_between(value, "%", 56.0, 450.0)
                || ["small", "medium", "large", "x-large", "xx-large"].contains(&value)
        }
        ValueForm::Length => is_length(value),
        ValueForm::Margin => {
            let parts = value.split(' ').collect::<Vec<_>>();
            parts.len() <= 4 && parts.iter().all(|it| ["0", "0px", "auto"].contains(it))
        }
        ValueForm::Words(words) => words.contains(&value),
    }
}

fn is_length(value: &str) -> bool {
    let fixed = is_between(value, "px", 0.0, MOST_PX) || is_between(value, "%", 0.0, 100.0);
    // SiYuan divides the columns of a super block and older pictures this way.
    let divided = || {
        let (part, gap) = value.strip_prefix("calc(")?.strip_suffix(')')?.split_once(" - ")?;
        Some(is_between(part, "%", 0.0, 100.0) && is_between(gap, "px", 0.0, 100.0))
    };
    fixed || value == "auto" || is_between(value, "vw", 0.0, 100.0) || divided().unwrap_or(false)
}

fn is_between(value: &str, unit: &str, low: f32, high: f32) -> bool {
    value.strip_suffix(unit).and_then(number).is_some_and(|it| (low..=high).contains(&it))
}

/// A number in plain digits.
fn number(text: &str) -> Option<f32> {
    let plain = text.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    text.parse().ok().filter(|_| plain && text.len() <= 8)
}

fn is_colour(value: &str) -> bool {
    if let Some(hex) = value.strip_prefix('#') {
        return [3, 4, 6, 8].contains(&hex.len()) && hex.bytes().all(|it| it.is_ascii_hexdigit());
    }
    if let Some(name) = value.strip_prefix("var(--b3-").and_then(|it| it.strip_suffix(')')) {
        let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
        return !name.is_empty() && name.len() <= 60 && name.bytes().all(plain);
    }
    let parts = value.strip_suffix(')').and_then(|it| it.split_once('('));
    if let Some((function, parts)) = parts {
        let number = |it: &str| {
            let it = it.trim();
            number(it.strip_suffix('%').or_else(|| it.strip_suffix("deg")).unwrap_or(it)).is_some()
        };
        let count = parts.split(',').count();
        return ["rgb", "rgba", "hsl", "hsla"].contains(&function)
            && (3..=4).contains(&count)
            && parts.split(',').all(number);
    }
    // A name that the browser does not know is no colour and does nothing.
    (3..=24).contains(&value.len()) && value.bytes().all(|it| it.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn styles_of_siyuans_own_menu_are_kept() {
        for style in [
            "color: var(--b3-font-color1);",
            "background-color: var(--b3-font-background13); --b3-parent-background: var(--b3-font-background13);",
            "color: var(--b3-card-error-color); background-color: var(--b3-card-error-background);",
            "-webkit-text-stroke: 0.2px var(--b3-theme-on-background); -webkit-text-fill-color: transparent;",
            &format!("text-shadow: {SHADOW};"),
            "font-size: 72px;",
            "font-size: 0.56em;",
            "text-align: center; direction: rtl;",
            "width: 33%; flex: none;",
            "width: calc(49.5% - 8px);",
            "height: 420px; margin: 0px auto;",
            "vertical-align: middle;",
            "color: rgba(0, 0, 0, 0.5); background: hsl(120deg, 50%, 50%);",
        ] {
            assert_eq!(printed(style).as_deref(), Some(style), "{style}");
        }
        assert_eq!(printed(" COLOR:#FFF;;width:  5px").as_deref(), Some("color: #fff; width: 5px;"));
        assert_eq!(printed("").as_deref(), Some(""));
        assert_eq!(
            printed_columns("width:60px||min-width: 9px;").as_deref(),
            Some("width: 60px;||min-width: 9px;")
        );
    }

    #[test]
    fn style_that_positions_or_loads_is_refused() {
        for style in [
            "position: fixed",
            "color: red; position:fixed; inset:0",
            "z-index: 9",
            "pointer-events: none",
            "transform: scale(9)",
            "translate: 9px",
            "margin: -9px",
            "margin-top: 9px",
            "opacity: 0",
            "display: none",
            "visibility: hidden",
            "content: x",
            "filter: blur(9px)",
            "animation: x",
            "background: url(x)",
            "background: red fixed",
            "background-image: none",
            "color: var(--x)",
            "color: var(--b3-x, red)",
            "color: var(--b3-x) var(--b3-y)",
            "color: expression(x)",
            "color: red !important",
            "color: r\\65 d",
            "color: red/**/; position: fixed",
            "color: \"red\"",
            "color: red}",
            "@import x",
            "color",
            "width: 99999px",
            "width: -1px",
            "width: 1e9px",
            "width: 101%",
            "width: calc(100% + 9px)",
            "width: nanpx",
            "font-size: 0",
            "font-size: 1px",
            "font-size: 999px",
            "--b3-theme-background: red",
            "--b3-parent-background: 9px",
            "color: red\n; position: fixed",
            "p\u{f6}sition: fixed",
            "all: unset",
        ] {
            assert_eq!(printed(style), None, "{style}");
        }
        assert_eq!(printed_columns("width: 9px|position: fixed"), None);
        assert_eq!(printed(&"color:red;".repeat(101)), None);
    }

    /// Some thousand styles as Chromium understands them; `e2e/kernel/styles.mjs` records them.
    const RECORDED: &str = include_str!("../../tests/incoming/styles.jsonl");

    #[derive(serde::Deserialize)]
    struct Recorded {
        style: String,
        /// The properties that it sets.
        sets: BTreeSet<String>,
    }

    /// Properties that a browser sets for an accepted one.
    fn is_allowed(property: &str) -> bool {
        let part = |whole: &str| property.strip_prefix(whole).is_some_and(|it| it.starts_with('-'));
        form(property).is_some()
            || ["background", "text-decoration", "flex", "margin", "-webkit-text-stroke"]
                .into_iter()
                .any(part)
    }

    #[test]
    fn accepted_styles_set_allowed_properties_only() {
        let all: Vec<Recorded> = RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let known: BTreeMap<&str, &BTreeSet<String>> =
            all.iter().map(|it| (it.style.as_str(), &it.sets)).collect();
        let (mut accepted, mut deserved, mut missing) = (0, 0, 0);
        for it in &all {
            let odd = it.sets.iter().find(|it| !is_allowed(it));
            let Some(printed) = printed(&it.style) else {
                deserved += usize::from(odd.is_some());
                continue;
            };
            println!("printed {}", serde_json::to_string(&printed).unwrap());
            accepted += 1;
            assert_eq!(odd, None, "{}", it.style);
            match known.get(printed.as_str()) {
                Some(sets) => assert_eq!(**sets, it.sets, "{} is printed as {printed}", it.style),
                None => missing += 1,
            }
        }
        println!("{} styles: {accepted} accepted, {deserved} refused that set something else", all.len());
        assert_eq!(missing, 0, "run `node e2e/kernel/styles.mjs`");
        assert!(accepted > 900 && deserved > 250, "the styles have become too few");
    }
}
