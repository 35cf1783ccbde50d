//! The folders of this user on this machine, and paths as they are shown: without the name of the home folder.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, choose_base_strategy, choose_native_strategy};
use puppy_core::visible;

/// The name of our own folders.
const NAME: &str = "siyuan-mcp-puppy";

/// The folder for what belongs to this machine: certificates, records of running servers.
pub(crate) fn data() -> Option<PathBuf> {
    Some(choose_native_strategy().ok()?.data_dir().join(NAME))
}

/// The folder for what a person edits: `~/.config` where there is no other custom.
pub(crate) fn config() -> Option<PathBuf> {
    Some(choose_base_strategy().ok()?.config_dir().join(NAME))
}

/// The platform in Node's words.
pub(crate) const fn platform() -> &'static str {
    if cfg!(windows) {
        "win32"
    } else if cfg!(target_os = "macos") {
        "darwin"
    } else {
        "linux"
    }
}

/// The path of a place that is written with `~/` or `%APPDATA%\`; `None` where this user has no such folder.
pub(crate) fn expanded(place: &str) -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let home = || std::env::home_dir().filter(|it| it.is_absolute());
    let below =
        |folder: PathBuf, rest: &str| rest.split(['/', '\\']).fold(folder, |path, part| path.join(part));
    if let Some(rest) = place.strip_prefix(r"%APPDATA%\") {
        return Some(below(folder("APPDATA")?, rest));
    }
    if let Some(rest) = place.strip_prefix("~/.config/") {
        let config = folder("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?;
        return Some(below(config, rest));
    }
    Some(below(home()?, place.strip_prefix("~/")?))
}

/// A path for people, on one line: `~` stands for the home folder, and hidden characters are shown.
pub(crate) fn shown(path: &Path) -> String {
    let home = std::env::home_dir().filter(|it| it.components().count() > 1);
    let inside = home.and_then(|home| Some(Path::new("~").join(path.strip_prefix(home).ok()?)));
    let text = inside.as_deref().unwrap_or(path).to_string_lossy().replace(['\n', '\t'], " ");
    visible::shown(&text).into_owned()
}
