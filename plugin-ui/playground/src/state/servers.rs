//! The servers of the playground: the own one as the panel knows it, the others as a person entered them, and the words
//! of their state.

use puppy_core::config::HttpSettings;
use puppy_mcp_client::phase::State;
use puppy_mcp_client::proxied::may_go_through_kernel;
use puppy_mcp_client::saved::{LIMITS, SavedServer, SecretHeader};

/// The file with the servers that a person keeps, below the plugin's folder of settings.
pub const CONNECTIONS_FILE: &str = "mcpConnections";
/// The name of the own server; no other has it.
pub const OWN: &str = "siyuan";
/// The header that most servers ask for.
pub const AUTHORIZATION: &str = "Authorization";

/// The own server: where it runs, or where the settings say that it will.
pub fn own(settings: &HttpSettings, running_at: &str) -> SavedServer {
    let url = if running_at.is_empty() { settings.url() } else { running_at.to_owned() };
    let token = settings.token();
    let header = || SecretHeader::new(AUTHORIZATION, &format!("Bearer {token}"));
    SavedServer {
        name: OWN.to_owned(),
        url,
        headers: (!token.is_empty()).then(header).into_iter().collect(),
        enabled: true,
        through_kernel: false,
    }
}

/// The fields of the form for a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerForm {
    /// The name.
    pub name: String,
    /// The address.
    pub url: String,
    /// The name of a header.
    pub header: String,
    /// Its value; empty to keep the headers that the server has.
    pub value: String,
    /// Whether the kernel is to send the requests.
    pub through_kernel: bool,
}

/// Why a server cannot be kept as it was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// The name is empty.
    NoName,
    /// The name is another server's, or reserved.
    Taken,
    /// The address is none of the web.
    NoAddress,
    /// A header's name or value cannot be sent.
    NoHeader,
    /// The kernel is not asked to reach the address.
    Private,
}

impl ServerForm {
    /// The form for a saved server, without the values of its headers, which are secret.
    pub fn of(saved: &SavedServer) -> ServerForm {
        let header = saved.headers.first().map_or(AUTHORIZATION, |it| &it.name).to_owned();
        let (name, url, through_kernel) = (saved.name.clone(), saved.url.clone(), saved.through_kernel);
        ServerForm { name, url, header, value: String::new(), through_kernel }
    }

    /// The server; `before` is the one that it replaces, `all` are those that are kept.
    ///
    /// # Errors
    /// The reason why it cannot be kept.
    pub fn saved(&self, before: Option<&SavedServer>, all: &[SavedServer]) -> Result<SavedServer, Unfit> {
        let name = self.name.trim();
        let is_taken = |it: &SavedServer| it.name == name && before.is_none_or(|before| before.name != name);
        if name.is_empty() {
            return Err(Unfit::NoName);
        }
        if [OWN, LIMITS].contains(&name) || all.iter().any(is_taken) {
            return Err(Unfit::Taken);
        }
        let url = self.url.trim();
        let is_web = ["http://", "https://"].iter().any(|it| {
            url.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it)) && url.len() > it.len()
        });
        if !is_web || url.contains(char::is_whitespace) {
            return Err(Unfit::NoAddress);
        }
        if self.through_kernel && !may_go_through_kernel(url) {
            return Err(Unfit::Private);
        }
        let (header, value) = (self.header.trim(), self.value.trim());
        let headers = if value.is_empty() {
            before.map(|it| it.headers.clone()).unwrap_or_default()
        } else {
            let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            let is_sendable = value.chars().all(|c| c == ' ' || c.is_ascii_graphic());
            if header.is_empty() || !header.chars().all(is_name) || !is_sendable {
                return Err(Unfit::NoHeader);
            }
            let others = before.into_iter().flat_map(|it| it.headers.iter().cloned());
            let others = others.filter(|it| !it.name.eq_ignore_ascii_case(header));
            std::iter::once(SecretHeader::new(header, value)).chain(others).collect()
        };
        Ok(SavedServer {
            name: name.to_owned(),
            url: url.to_owned(),
            headers,
            enabled: before.is_none_or(|it| it.enabled),
            through_kernel: self.through_kernel,
        })
    }
}

/// Whether a person has allowed the way that a server is reached in: through the kernel they are asked once for each
/// address.
pub fn is_allowed(before: Option<&SavedServer>, fresh: &SavedServer) -> bool {
    !fresh.through_kernel || before.is_some_and(|it| it.through_kernel && it.url == fresh.url)
}

/// The word of a state in the page's attributes: idle, connecting, success or error (B-202).
pub const fn word(state: &State) -> &'static str {
    match state {
        State::Idle | State::Closed => "idle",
        State::Connecting | State::Retrying { .. } => "connecting",
        State::Connected => "success",
        State::Failed { .. } => "error",
    }
}

/// A place where a tried action runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the own server, which takes it for an agent's.
    Server,
    /// In the page.
    Page,
}

impl Place {
    /// The place where nobody chose one: at the server if it answers, else in the page, which has to load all actions
    /// for that; `None` until that is known.
    pub const fn usual(own: Option<&State>) -> Option<Place> {
        match own {
            Some(State::Connected) => Some(Place::Server),
            Some(State::Retrying { .. } | State::Failed { .. } | State::Closed) => Some(Place::Page),
            None | Some(State::Idle | State::Connecting) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-215: without a server an action runs in the page; nothing is loaded before it is known that there is none.
    #[test]
    fn the_usual_place_is_the_server_where_it_answers() {
        use puppy_mcp_client::{failure::Failure, phase::Phase};
        let failed = State::Failed { in_phase: Phase::Creating, why: Failure::NotConnected };
        assert_eq!(Place::usual(Some(&State::Connected)), Some(Place::Server));
        for gone in [failed, State::Closed, State::Retrying { tries: 1, next_ms: 0 }] {
            assert_eq!(Place::usual(Some(&gone)), Some(Place::Page), "{gone:?}");
        }
        for unknown in [None, Some(&State::Idle), Some(&State::Connecting)] {
            assert_eq!(Place::usual(unknown), None, "{unknown:?}");
        }
    }

    fn entered(name: &str, url: &str) -> ServerForm {
        ServerForm { name: name.into(), url: url.into(), ..ServerForm::default() }
    }

    /// B-200: the own server comes with its token, and at the place where it runs.
    #[test]
    fn the_own_server_is_known_without_being_entered() {
        let settings = HttpSettings::parse(br#"{"port":4000,"token":"abcdefghijklmnop"}"#).unwrap();
        let kept = own(&settings, "");
        assert!(kept.url.contains(":4000/"), "{}", kept.url);
        assert_eq!(kept.headers[0].reveal(), "Bearer abcdefghijklmnop");
        assert_eq!(own(&settings, "http://127.0.0.1:1/mcp").url, "http://127.0.0.1:1/mcp");
        assert!(own(&HttpSettings::default(), "").headers.is_empty());
    }

    #[test]
    fn a_server_is_kept_as_it_was_entered_or_refused_with_the_reason() {
        let known = entered("notes", "http://a/mcp").saved(None, &[]).unwrap();
        let all = [known.clone()];
        let unfit = |name: &str, url: &str| entered(name, url).saved(None, &all).err();
        assert_eq!(unfit("b", "https://b/mcp"), None);
        assert_eq!(unfit(" ", "https://b/mcp"), Some(Unfit::NoName));
        assert_eq!(unfit("notes", "https://b/mcp"), Some(Unfit::Taken));
        for reserved in [OWN, LIMITS] {
            assert_eq!(unfit(reserved, "https://b/mcp"), Some(Unfit::Taken), "{reserved}");
        }
        for url in ["", "b", "ftp://b", "http://", "http://a b", "javascript:alert(1)"] {
            assert_eq!(unfit("b", url), Some(Unfit::NoAddress), "{url}");
        }
        // It may keep its own name.
        assert!(entered("notes", "http://c").saved(Some(&known), &all).is_ok());
    }

    /// B-217: the kernel reaches public addresses only, and only those that a person allowed it.
    #[test]
    fn the_kernel_is_used_where_it_was_asked_for_and_never_for_the_own_network() {
        let through = |url: &str| ServerForm { through_kernel: true, ..entered("a", url) }.saved(None, &[]);
        for private in [
            "https://127.0.0.1:1/mcp",
            "https://192.168.0.2/mcp",
            "https://[::1]/",
            "https://nas.local/",
            "http://a.example/",
        ] {
            assert_eq!(through(private), Err(Unfit::Private), "{private}");
            assert!(!entered("a", private).saved(None, &[]).unwrap().through_kernel);
        }
        let saved = through("https://mcp.example/").unwrap();
        assert!(saved.through_kernel && ServerForm::of(&saved).through_kernel);
        // The same server elsewhere is asked about again.
        assert!(!is_allowed(
            Some(&saved),
            &SavedServer { url: "https://other.example/".into(), ..saved.clone() }
        ));
        assert!(is_allowed(Some(&saved), &saved) && !is_allowed(None, &saved));
        assert!(is_allowed(None, &entered("a", "https://a/").saved(None, &[]).unwrap()));
    }

    #[test]
    fn secrets_stay_until_others_are_entered() {
        let with = |header: &str, value: &str| ServerForm {
            header: header.into(),
            value: value.into(),
            ..entered("a", "http://a")
        };
        let first = with("Authorization", "Bearer one").saved(None, &[]).unwrap();
        assert!(ServerForm::of(&first).value.is_empty(), "a secret is never shown again");
        let kept = ServerForm::of(&first).saved(Some(&first), &[]).unwrap();
        assert_eq!(kept.headers[0].reveal(), "Bearer one");
        let other = with("authorization", "Bearer two").saved(Some(&first), &[]).unwrap();
        assert_eq!((other.headers.len(), other.headers[0].reveal()), (1, "Bearer two"));
        for (header, value) in [("", "x"), ("a:b", "x"), ("a", "x\r\ny"), ("a", "ü")] {
            assert_eq!(with(header, value).saved(None, &[]), Err(Unfit::NoHeader), "{header} {value}");
        }
    }
}
