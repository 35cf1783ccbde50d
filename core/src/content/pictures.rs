//! The pictures in a document's text, for a model to look at.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::picture;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{AssetPath, DocId};
use crate::index::{self, Order, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::{asset, file, query};
use crate::output::{Output, object};

/// The routes that `add` calls.
pub const CALLS: &[Route] = &[query::FLUSH_TRANSACTION, query::SQL, asset::STAT_ASSET, file::GET_FILE];

/// The maximum number of pictures in an answer.
const MOST: usize = 8;
/// The maximum number of bytes of all of them.
const BYTES: u64 = 5 * 1024 * 1024;
/// The maximum number of assets of a document that are looked at.
const ASSETS: usize = 1_000;

/// Adds the pictures of a document that its answer's text mentions, in the order of the text, until there are eight or
/// they exceed five megabytes. The rest is named with the reason (`FLUSH_TRANSACTION`, `SQL`, and two for each
/// picture).
pub async fn add(doc: &DocId, mut output: Output, cx: &Cx<'_>) -> Result<Output, ToolError> {
    cx.declares(CALLS)?;
    cx.ask(query::flush_transaction()).await?;
    // The index knows which assets the document uses. Its text alone proves nothing: code may mention any path.
    let select = Select::from(Table::Assets)
        .columns(["f.path"])
        .per(["f.path"])
        .filter(index::eq("f.root_id", doc.as_str()))
        .order([Order::Up("f.path")])
        .limit(ASSETS);
    let rows = cx.select(select).await?.rows;
    let text = output.body.as_deref().unwrap_or_default();
    let mut used: Vec<(usize, AssetPath)> = rows
        .iter()
        .filter_map(|row| Some((text.find(row.text("path"))?, AssetPath::parse(row.text("path"))?)))
        .filter(|(_, path)| is_picture(path))
        .collect();
    used.sort_unstable_by_key(|(at, _)| *at);
    let stats = join_all(used.iter().take(MOST).map(|(_, path)| cx.ask(asset::stat_asset(path)))).await;
    let (mut entries, mut left) = (Vec::new(), BYTES);
    for ((_, path), stat) in used.iter().zip(stats) {
        let size = match stat {
            Ok(stat) => stat.size,
            Err(error) if error.code == Some(1) => {
                entries.push(entry(path, None, Some("its file does not exist")));
                continue;
            }
            Err(error) => return Err(error),
        };
        if size > left {
            entries.push(entry(path, Some(size), Some("it is too large; file.read_asset shows it")));
            continue;
        }
        let bytes = cx.read_file(&format!("/data/{}", path.as_str())).await?.unwrap_or_default();
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        match picture::mime(&bytes).filter(|_| read <= left) {
            Some(mime) => {
                left -= read;
                output = output.picture(mime, bytes);
                entries.push(entry(path, Some(size), None));
            }
            None => entries.push(entry(path, Some(size), Some("it is not a PNG, JPEG, GIF or WebP"))),
        }
    }
    let more = used.len().saturating_sub(MOST);
    Ok(output.with("pictures", entries).with("more_pictures", (more > 0).then_some(more)))
}

fn is_picture(path: &AssetPath) -> bool {
    let end = path.file_name().rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| matches!(end.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp"))
}

/// A picture as the answer names it.
fn entry(path: &AssetPath, size: Option<u64>, left_out: Option<&str>) -> Value {
    Value::Object(object([
        ("path", json!(path.as_str())),
        ("size", json!(size)),
        ("left_out", json!(left_out)),
    ]))
}
