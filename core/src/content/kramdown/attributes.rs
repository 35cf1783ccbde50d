//! An attribute list `{: name="value" ...}`, read and printed with the kernel's escaping.

use std::fmt;

/// The kernel's code for a line break in a value.
const LINE_BREAK: &str = "_esc_newline_";

/// The maximum number of attributes that are read from one list: SiYuan gives a block a handful.
const MOST: usize = 1_000;

/// The attributes of a block, in their printed order, which carries no meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttributeList(Vec<(String, String)>);

impl AttributeList {
    /// Reads the list that a text begins with, and returns its length in bytes.
    pub fn parse(text: &str) -> Option<(AttributeList, usize)> {
        let mut rest = text.strip_prefix("{:")?;
        let mut list = AttributeList::default();
        loop {
            rest = rest.trim_start_matches([' ', '\t']);
            if let Some(after) = rest.strip_prefix('}') {
                return Some((list, text.len() - after.len()));
            }
            let end = rest.find(|it: char| it.is_whitespace() || "=\"'{}<>".contains(it))?;
            let (name, after) = rest.split_at_checked(end)?;
            let value = after.trim_start_matches([' ', '\t']).strip_prefix('=')?;
            let value = value.trim_start_matches([' ', '\t']).strip_prefix('"')?;
            let (value, after) = value.split_once('"')?;
            if name.is_empty() || value.contains(['\n', '\r']) || list.0.len() == MOST {
                return None;
            }
            list.0.push((name.to_owned(), unescaped(value)));
            rest = after;
        }
    }

    /// The block's id, if any.
    pub fn id(&self) -> Option<&str> {
        self.get("id")
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(it, _)| it == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Removes an attribute.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(it, _)| it != name);
    }

    /// Keeps the attributes for which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// The same attributes in alphabetical order.
    pub fn sorted(&self) -> AttributeList {
        let mut sorted = self.clone();
        sorted.0.sort_unstable();
        sorted
    }

    /// Every attribute.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether it has no attributes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for AttributeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{:")?;
        for (name, value) in &self.0 {
            write!(f, " {name}=\"{}\"", escaped(value))?;
        }
        f.write_str("}")
    }
}

fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '"' => out.push_str("&quot;"),
            '&' => out.push_str("&amp;"),
            '{' => out.push_str("&#123;"),
            '}' => out.push_str("&#125;"),
            '\n' => out.push_str(LINE_BREAK),
            '\r' => {}
            other => out.push(other),
        }
    }
    out
}

fn unescaped(value: &str) -> String {
    const NAMED: [(&str, char); 6] =
        [("&quot;", '"'), ("&amp;", '&'), ("&#123;", '{'), ("&#125;", '}'), ("&lt;", '<'), ("&gt;", '>')];
    let value = value.replace(LINE_BREAK, "\n");
    let mut out = String::with_capacity(value.len());
    let mut rest = value.as_str();
    while let Some(at) = rest.find('&') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let (letter, after) = NAMED
            .iter()
            .find_map(|(name, letter)| rest.strip_prefix(name).map(|after| (*letter, after)))
            .unwrap_or(('&', rest.get(1..).unwrap_or_default()));
        out.push(letter);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn kernel_escaping_is_decoded() {
        let text = "{: alias=\"a1,a2\" id=\"x\" memo=\"line &lt;b&gt;&amp;&quot;quoted&quot;&lt;/b&gt;_esc_newline_two\"} tail";
        let (list, length) = AttributeList::parse(text).unwrap();
        assert_eq!(list.get("memo"), Some("line <b>&\"quoted\"</b>\ntwo"));
        assert_eq!(&text[length..], " tail");
        assert_eq!(list.id(), Some("x"));
    }

    /// The form in which the kernel returned every value exactly.
    #[test]
    fn attribute_list_prints_in_the_kernels_form() {
        let mut list = AttributeList::default();
        list.set("memo", "\"a\" & {b}\nc");
        assert_eq!(list.to_string(), "{: memo=\"&quot;a&quot; &amp; &#123;b&#125;_esc_newline_c\"}");
    }

    #[test]
    fn malformed_attribute_list_is_not_parsed() {
        for text in [
            "{:",
            "{: a}",
            "{: a=1}",
            "{: a='1'}",
            "{: a=\"1\"",
            "{: a=\"1\n\"}",
            "{ : a=\"1\"}",
            "{: =\"1\"}",
        ] {
            assert_eq!(AttributeList::parse(text), None, "{text}");
        }
        assert!(AttributeList::parse("{: }").is_some_and(|(list, length)| list.is_empty() && length == 4));
    }

    proptest! {
        #[test]
        fn attribute_values_survive_a_round_trip(values in prop::collection::vec("[a-z\"&{}<>;#0-9 \n\u{5c0f}]{0,20}", 0..4)) {
            let mut list = AttributeList::default();
            for (at, value) in values.iter().enumerate() {
                list.set(&format!("custom-{at}"), value);
            }
            let printed = list.to_string();
            prop_assert_eq!(AttributeList::parse(&printed), Some((list, printed.len())));
        }
    }
}
