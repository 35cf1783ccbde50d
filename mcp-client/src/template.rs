//! Templates of resources' addresses (RFC 6570).

use iri_string::spec::UriSpec;
use iri_string::template::UriTemplateStr;
use iri_string::template::simple_context::SimpleContext;

/// The variables of a template, each once, in the order of the form; `None` if it is no template.
#[must_use]
pub fn variables(template: &str) -> Option<Vec<String>> {
    let template = UriTemplateStr::new(template).ok()?;
    let mut found: Vec<String> = Vec::new();
    for variable in template.variables() {
        if !found.iter().any(|it| it == variable.as_str()) {
            found.push(variable.as_str().to_owned());
        }
    }
    Some(found)
}

/// The address that a template makes of values; one that is left out or empty counts as absent.
#[must_use]
pub fn expand(template: &str, values: &[(String, String)]) -> Option<String> {
    let mut context = SimpleContext::new();
    for (name, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
        context.insert(name.as_str(), value.as_str());
    }
    let template = UriTemplateStr::new(template).ok()?;
    Some(template.expand::<UriSpec, _>(&context).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_the_sidecar_are_filled_in() {
        let doc = "siyuan://doc/{id}{?depth}";
        assert_eq!(variables(doc).unwrap(), ["id", "depth"]);
        let values =
            |all: &[(&str, &str)]| all.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect::<Vec<_>>();
        assert_eq!(
            expand(doc, &values(&[("id", "20210808180117-abcdefg")])).unwrap(),
            "siyuan://doc/20210808180117-abcdefg"
        );
        assert_eq!(
            expand(doc, &values(&[("id", "a b/ü"), ("depth", "2")])).unwrap(),
            "siyuan://doc/a%20b%2F%C3%BC?depth=2"
        );
        assert_eq!(variables("x://{a}/{a}").unwrap(), ["a"]);
        assert_eq!(variables("x://{"), None);
        assert_eq!(expand("x://{", &[]), None);
    }
}
