//! A database as CSV, with the files that its cells name.

use serde_json::json;

use super::pack::{Pack, escape, file_name};
use crate::answer::{Args, Outcome, Refusal};
use crate::av::show;
use crate::av::value::{Value, ValueKind};
use crate::endpoints::asset;
use crate::kernel::Kernel;

/// The rows of the view that a block shows, filtered and sorted as in it.
pub(in crate::endpoints) fn of_database(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, block) = (args.field_filled("id")?, args.field_filled("blockID")?);
    write(kernel, id, block).map_err(|refusal| match refusal.code {
        501 => refusal,
        _ => Refusal::code(1, refusal.msg).closing_after(7000),
    })
}

fn write(kernel: &Kernel, id: &str, block: &str) -> Outcome {
    let (name, shown) = kernel.store.read(|db| {
        let database = db.database(id)?;
        db.need_tree(block)?;
        let shown = show::rows(db, &database, &db.shown_view(block)?)?;
        Ok((file_name(database.shown_name()), shown))
    })?;
    // Excel recognizes UTF-8 by the first character.
    let mut text = String::from("\u{feff}");
    let mut assets = Vec::new();
    line(&mut text, shown.columns.iter().map(|(_, key)| key.name.clone()));
    for (number, item) in shown.items.iter().enumerate() {
        line(
            &mut text,
            item.cells.iter().map(|cell| match cell.kind {
                Some(ValueKind::LineNumber) => (number + 1).to_string(),
                Some(ValueKind::MAsset) => files(cell, &mut assets),
                _ => cell.shown(true),
            }),
        );
    }
    let mut pack = Pack::default();
    pack.add(format!("{name}.csv"), text.into_bytes());
    for path in assets {
        let file = asset::find(kernel, &path).filter(|file| file.is_file());
        if let Some(bytes) = file.and_then(|file| std::fs::read(file).ok()) {
            pack.add(asset::used::without_query(&path), bytes);
        }
    }
    let name = format!("{name}.db.zip");
    pack.write(kernel, &format!("csv/{name}"))?;
    Ok(json!({ "zip": format!("/export/csv/{}", escape(&name)) }))
}

/// A line, with quotes like those of Go's writer.
fn line(out: &mut String, fields: impl Iterator<Item = String>) {
    let quoted = |field: String| {
        let special = field.contains([',', '"', '\n', '\r']) || field.starts_with(char::is_whitespace);
        match special || field == r"\." {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field,
        }
    };
    *out += &fields.map(quoted).collect::<Vec<_>>().join(",");
    out.push('\n');
}

/// The files of a cell as Markdown.
fn files(cell: &Value, assets: &mut Vec<String>) -> String {
    let show = |file: &crate::av::value::Asset| {
        let mark = match file.kind.as_str() {
            "image" => "!",
            "file" => "",
            _ => return file.content.clone(),
        };
        if file.content.starts_with("assets/") {
            assets.push(file.content.clone());
        }
        format!("{mark}[{}]({})", file.name, file.content)
    };
    cell.m_asset.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_only_fields_that_need_it() {
        let mut out = String::new();
        line(&mut out, ["a", "b,c", "say \"x\"", " d", ""].map(str::to_owned).into_iter());
        assert_eq!(out, "a,\"b,c\",\"say \"\"x\"\"\",\" d\",\n");
    }
}
