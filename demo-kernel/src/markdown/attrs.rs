//! Attribute lists: `{: id="…" name="…"}`.

use serde::{Deserialize, Serialize};

/// Names and values in the order in which they were set; the order has no meaning.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Attrs(pub(crate) Vec<(String, String)>);

/// The spelling of a line break inside a value.
const NEWLINE: &str = "_esc_newline_";

impl PartialEq for Attrs {
    fn eq(&self, other: &Attrs) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Attrs {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Sets a value; an empty one removes the attribute.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let place = self.0.iter().position(|(n, _)| n == name);
        match (place.and_then(|at| self.0.get_mut(at)), value) {
            (Some(_), "") => self.0.retain(|(n, _)| n != name),
            (Some(entry), value) => value.clone_into(&mut entry.1),
            (None, "") => {}
            (None, value) => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Empties a value and keeps the attribute.
    pub(crate) fn blank(&mut self, name: &str) {
        self.0.iter_mut().filter(|(n, _)| n == name).for_each(|(_, value)| value.clear());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The list as Kramdown, with the id first.
    pub(crate) fn write(&self, id: &str) -> String {
        let mut out = format!("{{: id=\"{id}\"");
        for (name, value) in self.iter() {
            let value = escape(value).replace('{', "&#123;").replace('}', "&#125;").replace('\n', NEWLINE);
            out += &format!(" {name}=\"{value}\"");
        }
        out + "}"
    }
}

/// Reads an attribute list from the start of a text; returns the list and its length in bytes.
pub(crate) fn read(text: &str) -> Option<(Attrs, usize)> {
    let mut rest = text.strip_prefix("{:")?;
    let mut attrs = Attrs::default();
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((attrs, text.len() - after.len()));
        }
        let (name, after) = rest.split_once("=\"")?;
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '"' | '<'))
        {
            return None;
        }
        let (value, after) = after.split_once('"')?;
        attrs.0.push((name.to_owned(), unescape(value).replace(NEWLINE, "\n")));
        rest = after;
    }
}

/// Reads a line that contains only an attribute list.
pub(crate) fn read_line(line: &str) -> Option<Attrs> {
    let line = line.trim();
    let (attrs, taken) = read(line)?;
    (taken == line.len() && !attrs.is_empty()).then_some(attrs)
}

/// The four characters that must be escaped in attributes and in text of a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Takes [`escape`] back.
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    plain.replace("&#123;", "{").replace("&#125;", "}").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_list_survives_a_round_trip() {
        let mut attrs = Attrs::default();
        attrs.set("memo", "line <b>&\"quoted\"</b>\nsecond {line}");
        attrs.set("custom-a", "1");
        let written = attrs.write("x");
        let (mut read, taken) = read(&written).unwrap();
        assert_eq!(taken, written.len());
        assert_eq!(read.0.remove(0), ("id".into(), "x".into()));
        assert_eq!(read, attrs);
    }

    #[test]
    fn malformed_attribute_list_is_left_unchanged() {
        for text in ["{: }x", "{:id=1}", "{: a b=\"1\"}", "{: a=\"1\"", "plain", "{:}"] {
            assert!(read_line(text).is_none(), "{text}");
        }
        assert!(read_line(" {: id=\"x\" } ").is_some());
    }

    #[test]
    fn empty_value_removes_the_attribute() {
        let mut attrs = Attrs::default();
        attrs.set("bookmark", "B");
        attrs.set("bookmark", "");
        assert!(attrs.is_empty());
    }
}
