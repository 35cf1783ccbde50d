//! The options of `install` that become part of an entry: what could not work later is refused now.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use puppy_core::clients::SnippetValues;

use crate::cli::environment::KernelOptions;
use crate::discover::{self, Address};
use crate::folders;
use crate::profiles::Profiles;
use crate::words::SetupWords;

/// The options that become part of an entry.
#[derive(Debug, Default)]
pub(super) struct Entry {
    options: Vec<String>,
    connect: Option<String>,
    token_file: Option<String>,
    certificate: Option<String>,
}

impl Entry {
    /// Takes the options.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub(super) fn new(matches: &ArgMatches, kernel: &KernelOptions) -> Result<Entry, String> {
        kernel.check()?;
        let connect: Option<&String> = matches.get_one("connect");
        let has_kernel = kernel.url.is_some() || kernel.profile.is_some();
        if connect.is_some() && (has_kernel || kernel.token_file.is_some()) {
            return Err(SetupWords::here().connect_alone().to_owned());
        }
        if kernel.token_file.is_some() && !has_kernel {
            return Err(SetupWords::here().token_needs_kernel().to_owned());
        }
        for url in kernel.url.iter().chain(connect) {
            callable(url)?;
        }
        if let Some(name) = &kernel.profile {
            Profiles::read()?.named(name)?;
        }
        let mut options = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            options.extend(value.into_iter().flat_map(|it| [format!("--{name}"), it]));
        };
        let certificate = kernel.ca_file.as_deref().map(whole).transpose()?;
        option("profile", kernel.profile.clone());
        option("url", kernel.url.clone());
        option("token-file", kernel.token_file.as_deref().map(whole).transpose()?);
        option("ca-file", certificate.clone());
        let token_file = matches.get_one::<PathBuf>("mcp-token-file").map(|it| whole(it)).transpose()?;
        Ok(Entry { options, connect: connect.cloned(), token_file, certificate })
    }

    /// The connection of a client to the notes, through `program`.
    pub(super) fn reach<'a>(&'a self, program: &'a str) -> SnippetValues<'a> {
        let token_file = self.token_file.as_deref().unwrap_or_default();
        SnippetValues {
            program,
            url: self.connect.as_deref().unwrap_or_default(),
            // Whether there is one is all that an entry says of it.
            token: token_file,
            token_file,
            certificate: self.certificate.as_deref().unwrap_or_default(),
            is_relay: self.connect.is_some(),
            options: &self.options,
        }
    }

    /// Whether any was given.
    pub(super) const fn has_options(&self) -> bool {
        self.connect.is_some() || !self.options.is_empty()
    }
}

/// Refuses an address that cannot be called, or that would put a password on a command line.
fn callable(url: &str) -> Result<(), String> {
    let words = SetupWords::here();
    Address::given(url).map_err(|_| words.entry_address())?;
    if discover::names_a_person(url) {
        return Err(words.entry_person().to_owned());
    }
    Ok(())
}

/// The whole path of a file that is there.
fn whole(path: &Path) -> Result<String, String> {
    let words = SetupWords::here();
    let path = std::path::absolute(path).map_err(|error| words.bad_path(error.kind()))?;
    if path.is_file() {
        Ok(path.to_string_lossy().into_owned())
    } else {
        Err(words.no_file(folders::shown(&path)))
    }
}
