//! Markdown as editor DOM, by SiYuan's own parser; nothing is written.

use serde::Deserialize;

use super::endpoints;
use crate::kernel::TypedRequest;

endpoints! { "/api/lute/";
    /// Editor DOM as the editor has it after a person typed into it: what looks like Markdown becomes blocks. Blocks
    /// without an id get new ones.
    read SPIN_BLOCK_DOM spin_block_dom(dom: &str) -> EditorDom = "spinBlockDOM" { "dom": dom };
}

/// Reply of `spinBlockDOM`.
#[derive(Debug, Deserialize)]
pub struct EditorDom {
    /// The blocks, of which the outermost have `data-node-index`.
    pub dom: String,
}

/// The editor DOM of Markdown (`SPIN_BLOCK_DOM`), with the ids of its attribute lists.
///
/// The Markdown goes as the content of an HTML block, which the kernel decodes twice and reads again. In a paragraph, it
/// would read marks after inline attribute lists otherwise. In both it reads some texts otherwise than `updateBlock`:
/// `content::incoming` knows which.
pub fn spin_markdown(markdown: &str) -> TypedRequest<EditorDom> {
    let content = escaped(&escaped(markdown));
    spin_block_dom(&format!(
        "<div data-type=\"NodeHTMLBlock\" class=\"render-node\" data-subtype=\"block\"><div \
         class=\"protyle-icons\"></div><div><protyle-html data-content=\"{content}\"></protyle-html></div><div \
         class=\"protyle-attr\" contenteditable=\"false\"></div></div>"
    ))
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
