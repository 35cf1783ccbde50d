//! SiYuan's kernel as this page reaches it; what its answers mean is decided in core, once for page and sidecar.

use puppy_core::activity::events::{EVENTS_FILE, EventFile};
use puppy_core::activity::instance;
use puppy_core::activity::purse::{Purse, Short};
use puppy_core::activity::shop::Purchase;
use puppy_core::activity::stats::{STATS_FILE, Stats};
use puppy_core::config::GRANTS_FILE;
use puppy_core::kernel::{self, Ambient, Answer, Kernel, KernelError, Request, api, files};
use puppy_core::permission::{Grants, Table};
use serde_json::json;
use std::time::Duration;

use crate::host;
use crate::state::settings::SETTINGS_FILE;

/// How long an answer may take, in milliseconds.
const DEADLINE_MS: u32 = 5_000;

/// The events of the puppy: `None` when the kernel is silent, `Some(None)` when the file is torn.
///
/// It asks 7,000 times an hour and is part of the page's start, so it goes around the general way: the
/// 202 of a missing file is a file without events.
pub async fn events() -> Option<Option<EventFile>> {
    let body = format!("{{\"path\":\"{}{EVENTS_FILE}\"}}", files::TEMP);
    let (status, bytes) = host::net::post(api::GET_FILE.route.path, &body, DEADLINE_MS).await?;
    match status {
        200 => Some(EventFile::parse(&bytes)),
        202 => Some(Some(EventFile::default())),
        _ => None,
    }
}

/// Coins, meals and clothes; a missing file is a new puppy.
pub async fn stats() -> Result<Stats, KernelError> {
    let bytes = files::read(&PageKernel, &stats_path()).await?;
    Ok(bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default())
}

fn stats_path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}

/// Why nothing was bought.
#[derive(Debug)]
pub enum Unsold {
    /// Too few coins.
    Short(Short),
    /// The kernel did not answer, or did not take it.
    Kernel(KernelError),
}

/// Writes the puppy's settings; a kernel that does not take them leaves them to this page.
pub async fn write_settings(text: &str) {
    let path = format!("{}{SETTINGS_FILE}", files::STORAGE);
    let _ = files::write(&PageKernel, &path, text.into()).await;
}

/// Names of a notebook and perhaps a document in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceName {
    /// The notebook's name.
    pub notebook: String,
    /// The document's title.
    pub title: Option<String>,
}

/// The names of a place that agents may know; none for one at `none`, a locked one, or where anything is unclear.
pub async fn place_name(notebook: &str, doc: Option<&str>) -> Option<PlaceName> {
    let table = files::read(&PageKernel, &format!("{}{GRANTS_FILE}", files::STORAGE)).await.ok()?;
    let table = table.map_or(Some(Table::default()), |bytes| Table::parse(&bytes))?;
    let grants = Grants::of(table);
    // The kernel's own rows, narrowed to what agents may read.
    let all = kernel::ask(&PageKernel, api::LS_NOTEBOOKS, json!({})).await.ok()?.visible(&grants);
    let name = |id: &str| all.notebooks.iter().find(|it| it.id == id).map(|it| it.name.clone());
    let Some(doc) = doc else { return Some(PlaceName { notebook: name(notebook)?, title: None }) };
    // It may have been moved since: where it is now counts.
    let now = kernel::ask(&PageKernel, api::GET_PATH_BY_ID, json!({ "id": doc })).await.ok()?;
    let notebook = name(&now.notebook)?;
    let hpath = kernel::ask(&PageKernel, api::GET_HPATH_BY_ID, json!({ "id": doc })).await.ok()?;
    let title = hpath.rsplit('/').next().map(str::to_owned);
    Some(PlaceName { notebook, title })
}

/// How long after a write it is read back, in milliseconds: another process may have written over it.
const LOOK_AGAIN_MS: u32 = 20;
const TRIES: usize = 20;

/// Buys something in the page: a part of its own in the file of coins, which has ended when it is there (B-291).
pub async fn buy(purchase: Purchase) -> Result<Stats, Unsold> {
    let now = host::now_ms();
    let mut purse = Purse::new(instance(now, host::random_bits()));
    let mut stats = stats().await.map_err(Unsold::Kernel)?;
    purse.buy(&stats, purchase, now).map_err(Unsold::Short)?;
    for _ in 0..TRIES {
        let (name, part) = purse.settle(&mut stats, now, true);
        let bytes = serde_json::to_vec(&stats).unwrap_or_default();
        files::write(&PageKernel, &stats_path(), bytes).await.map_err(Unsold::Kernel)?;
        host::sleep(LOOK_AGAIN_MS).await;
        stats = self::stats().await.map_err(Unsold::Kernel)?;
        if stats.holds(&name, part) {
            break;
        }
    }
    Ok(stats)
}

/// The kernel that served this page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageKernel;

impl Ambient for PageKernel {
    fn now_ms(&self) -> u64 {
        host::now_ms()
    }

    fn local_digits(&self) -> String {
        host::local_digits()
    }

    fn random(&self) -> u64 {
        host::random_bits()
    }
}

impl Kernel for PageKernel {
    async fn send(&self, request: Request) -> Result<Answer, KernelError> {
        host::net::send(request.route, request.body, DEADLINE_MS).await
    }

    async fn pause(&self, time: Duration) {
        host::sleep(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)).await;
    }
}
