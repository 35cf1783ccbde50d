//! Content of answers as a view shows it: text byte for byte, pictures, files, links, and JSON for everything else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The pictures that are shown; a drawing (SVG) may hold scripts and is not among them.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/// The schemes of addresses that a person may open: others may run scripts or start programs.
const OPENED: [&str; 3] = ["http://", "https://", "siyuan://"];

/// A piece of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text, exactly as it was sent.
    Text(String),
    /// A picture.
    Picture {
        /// One of the media types that browsers show safely.
        mime: String,
        /// The bytes, in base64.
        data: String,
    },
    /// The text of an embedded resource.
    Document {
        /// Its address.
        uri: String,
        /// Its media type.
        mime: String,
        /// The text, exactly as it was sent.
        text: String,
    },
    /// The bytes of an embedded resource that is no picture.
    Download {
        /// Its address.
        uri: String,
        /// A file name made from the address.
        name: String,
        /// Its media type.
        mime: String,
        /// The bytes, in base64.
        data: String,
    },
    /// A link to a resource.
    Link {
        /// Its address.
        uri: String,
        /// Its name.
        name: String,
        /// Its description.
        description: String,
        /// Whether a person may open the address with a click; otherwise it is text.
        opens: bool,
    },
    /// Anything else.
    Json(Value),
}

impl Piece {
    /// The text that a model or a clipboard gets.
    #[must_use]
    pub fn as_text(&self) -> String {
        match self {
            Piece::Text(text) | Piece::Document { text, .. } => text.clone(),
            Piece::Picture { mime, .. } => format!("[{mime}]"),
            Piece::Download { name, mime, .. } => format!("[{name}, {mime}]"),
            Piece::Link { uri, name, .. } if name.is_empty() => uri.clone(),
            Piece::Link { uri, name, .. } => format!("{name}: {uri}"),
            Piece::Json(value) => value.to_string(),
        }
    }
}

/// The pieces of a content: a list of blocks, or a single one.
#[must_use]
pub fn pieces(content: &Value) -> Vec<Piece> {
    match content {
        Value::Array(blocks) => blocks.iter().map(piece).collect(),
        Value::Null => Vec::new(),
        one => vec![piece(one)],
    }
}

fn piece(block: &Value) -> Piece {
    let found = match text(block, "type") {
        "text" => block.get("text").and_then(Value::as_str).map(|it| Piece::Text(it.to_owned())),
        "image" => picture(text(block, "mimeType"), text(block, "data")),
        "resource" => block.get("resource").map(resource),
        "resource_link" => Some(text(block, "uri")).filter(|it| !it.is_empty()).map(|uri| Piece::Link {
            uri: uri.to_owned(),
            name: Some(text(block, "title"))
                .filter(|it| !it.is_empty())
                .unwrap_or(text(block, "name"))
                .to_owned(),
            description: text(block, "description").to_owned(),
            opens: opens(uri),
        }),
        _ => None,
    };
    found.unwrap_or_else(|| Piece::Json(block.clone()))
}

/// The piece of a resource's contents.
pub(crate) fn resource(contents: &Value) -> Piece {
    let (uri, mime) = (text(contents, "uri"), text(contents, "mimeType"));
    if let Some(text) = contents.get("text").and_then(Value::as_str) {
        return Piece::Document { uri: uri.to_owned(), mime: mime.to_owned(), text: text.to_owned() };
    }
    let blob = text(contents, "blob");
    if !contents.get("blob").is_some_and(Value::is_string) || STANDARD.decode(blob).is_err() {
        return Piece::Json(contents.clone());
    }
    picture(mime, blob).unwrap_or_else(|| Piece::Download {
        uri: uri.to_owned(),
        name: file_name(uri),
        mime: mime.to_owned(),
        data: blob.to_owned(),
    })
}

fn picture(mime: &str, data: &str) -> Option<Piece> {
    let mime = PICTURES.into_iter().find(|it| it.eq_ignore_ascii_case(mime))?;
    let is_base64 = !data.is_empty() && STANDARD.decode(data).is_ok();
    is_base64.then(|| Piece::Picture { mime: mime.to_owned(), data: data.to_owned() })
}

/// Whether an address may be opened with a click.
fn opens(uri: &str) -> bool {
    let start: String = uri.chars().take(9).collect::<String>().to_ascii_lowercase();
    OPENED.iter().any(|scheme| start.starts_with(scheme))
}

/// The last part of an address, as far as it is harmless in a file name.
fn file_name(uri: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let is_harmless = |c: &char| c.is_alphanumeric() || " ._-()".contains(*c);
    let name: String = last.chars().filter(is_harmless).take(100).collect();
    let name = name.trim_matches(['.', ' ']);
    if name.is_empty() { "resource".to_owned() } else { name.to_owned() }
}

fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PNG: &str = "iVBORw0KGgo=";

    /// B-206: every kind of content, and text byte for byte.
    #[test]
    fn content_becomes_what_it_is() {
        let odd = " \r\n\u{feff}a\u{200b}\u{0}<b>\u{1f415}\n\n";
        let content = json!([
            { "type": "text", "text": odd },
            { "type": "image", "mimeType": "image/PNG", "data": PNG },
            { "type": "resource", "resource": { "uri": "x://a", "mimeType": "text/markdown", "text": odd } },
            { "type": "resource", "resource": { "uri": "x://a/b.pdf?c", "mimeType": "application/pdf", "blob": PNG } },
            { "type": "resource", "resource": { "uri": "x://a", "mimeType": "image/webp", "blob": PNG } },
            { "type": "resource_link", "uri": "siyuan://doc/1", "name": "d", "title": "Doc" },
            { "type": "audio", "mimeType": "audio/wav", "data": PNG },
        ]);
        let found = pieces(&content);
        assert_eq!(found[0], Piece::Text(odd.into()));
        assert_eq!(found[1], Piece::Picture { mime: "image/png".into(), data: PNG.into() });
        assert!(matches!(&found[2], Piece::Document { text, .. } if text == odd));
        assert!(matches!(&found[3], Piece::Download { name, data, .. } if name == "b.pdf" && data == PNG));
        assert!(matches!(&found[4], Piece::Picture { mime, .. } if mime == "image/webp"));
        assert!(matches!(&found[5], Piece::Link { name, opens: true, .. } if name == "Doc"));
        assert_eq!(found[6], Piece::Json(content[6].clone()));
        assert_eq!(pieces(&content[0]), [Piece::Text(odd.into())], "prompts have a single block");
        assert!(pieces(&Value::Null).is_empty());
    }

    /// B-206: what a server sends neither runs nor breaks anything.
    #[test]
    fn hostile_content_stays_text() {
        for block in [
            json!({ "type": "image", "mimeType": "image/svg+xml", "data": PNG }),
            json!({ "type": "image", "mimeType": "image/png", "data": "\" onerror=\"x" }),
            json!({ "type": "image", "mimeType": "image/png", "data": "" }),
            json!({ "type": "text", "text": 7 }),
            json!({ "type": "resource" }),
            json!({ "type": "resource_link" }),
            json!("words"),
        ] {
            assert_eq!(piece(&block), Piece::Json(block.clone()));
        }
        for uri in
            ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", " https://x", "vbscript:x"]
        {
            assert!(!opens(uri), "{uri}");
        }
        assert!(opens("HTTPS://example.com") && opens("siyuan://blocks/1"));
        for uri in ["x://a/..", "x:", "", "x://a/../..\\", "x://a/\u{202e}"] {
            assert_eq!(file_name(uri), "resource", "{uri}");
        }
        let broken = json!({ "uri": "x://a", "blob": "no base64" });
        assert_eq!(resource(&broken), Piece::Json(broken.clone()));
    }
}
