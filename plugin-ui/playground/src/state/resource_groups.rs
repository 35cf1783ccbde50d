//! The groups in which the resources of servers are offered: by server, and in it by the kind of address.

/// The offers in groups, in their order: the title of each group, and what is in it. `server` and `uri` tell of an offer.
pub fn grouped<T>(
    offers: Vec<T>,
    server: impl Fn(&T) -> &str,
    uri: impl Fn(&T) -> &str,
) -> Vec<(String, Vec<T>)> {
    let titles: Vec<String> = {
        let places: Vec<(&str, AddressStart<'_>)> =
            offers.iter().map(|it| (server(it), AddressStart::of(uri(it)))).collect();
        let title = |(server, place): &(&str, AddressStart<'_>)| {
            let alike = places.iter().filter(|it| it.0 == *server && it.1 == *place).count();
            let kind = if alike > 1 && !place.host.is_empty() { place.host } else { place.scheme };
            format!("{server}: {kind}")
        };
        places.iter().map(title).collect()
    };
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for (title, offer) in titles.into_iter().zip(offers) {
        match groups.iter_mut().find(|it| it.0 == title) {
            Some(group) => group.1.push(offer),
            None => groups.push((title, vec![offer])),
        }
    }
    groups
}

/// The beginning of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
struct AddressStart<'a> {
    scheme: &'a str,
    host: &'a str,
}

impl AddressStart<'_> {
    fn of(uri: &str) -> AddressStart<'_> {
        let (scheme, rest) = uri.split_once("://").unwrap_or((uri.split(':').next().unwrap_or(uri), ""));
        AddressStart { scheme, host: rest.split(['/', '?', '{']).next().unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_stands_apart_from_notes_and_each_server_alone() {
        let offers = vec![
            ("puppy", "siyuan://doc/a"),
            ("puppy", "siyuan://help/start"),
            ("puppy", "siyuan://doc/b"),
            ("puppy", "siyuan://help/{page}"),
            ("puppy", "skill://tidy/SKILL.md"),
            ("puppy", "skill://review/SKILL.md"),
            ("disk", "file:///a"),
            ("disk", "file:///b"),
            ("disk", "notes"),
        ];
        let groups = grouped(offers, |it| it.0, |it| it.1);
        let said: Vec<(&str, usize)> = groups.iter().map(|it| (it.0.as_str(), it.1.len())).collect();
        assert_eq!(
            said,
            [
                ("puppy: doc", 2),
                ("puppy: help", 2),
                ("puppy: skill", 2),
                ("disk: file", 2),
                ("disk: notes", 1)
            ]
        );
    }

    #[test]
    fn odd_addresses_are_grouped_too() {
        for uri in ["", ":", "://", "a://", "{x}://{y}", "ä:ö"] {
            assert_eq!(grouped(vec![uri], |_| "s", |it| it).len(), 1, "{uri}");
        }
    }
}
