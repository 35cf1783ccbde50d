//! Fills the names in braces of a text.

/// A text with each `{name}` replaced by its value, or by nothing if it has none. Values are not read again, so that a
/// title with braces stays a title.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut rest = text;
    let mut filled = String::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        filled.push_str(values.iter().find(|it| it.0 == name).map_or("", |it| it.1));
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(fill("{name}: {level}.", &[("name", "{level}"), ("level", "Read")]), "{level}: Read.");
        assert_eq!(fill("{n} of {all}", &[("n", "1")]), "1 of ");
    }
}
