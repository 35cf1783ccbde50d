//! Templates of documents. The kernel names their files by absolute paths, which never leave this file.

use serde::Deserialize;

use super::{endpoints, list};

endpoints! { "/api/search/";
    /// The templates whose path contains all words.
    read SEARCH_TEMPLATE search_template(words: &str) -> Templates = "searchTemplate" { "k": words };
    /// Removes a template. It removes any file of the kernel's machine, so only a file that `searchTemplate` has
    /// listed can be named.
    silent REMOVE_TEMPLATE remove_template(template: &Template) -> () = "removeTemplate" { "path": template.file };
}

endpoints! { "/api/template/";
    /// Fills in a text whose actions stand in `{{ }}`. It runs whatever functions the text names.
    read RENDER_SPRIG render_sprig(text: &str) -> String = "renderSprig" { "template": text };
}

/// Reply of `searchTemplate`.
#[derive(Debug, Deserialize)]
pub struct Templates {
    /// The templates, in no order of ours.
    #[serde(default, deserialize_with = "list")]
    pub templates: Vec<Option<Template>>,
}

/// A template, as the kernel lists it.
#[derive(Debug, Clone, Deserialize)]
pub struct Template {
    /// The absolute path of its file.
    #[serde(rename = "path")]
    file: String,
}

impl Template {
    /// Its path below the folder of templates; `None` for a file that lies elsewhere.
    pub fn path(&self) -> Option<String> {
        let file = self.file.replace('\\', "/");
        file.rsplit_once("/data/templates/").map(|(_, path)| path.to_owned())
    }
}
