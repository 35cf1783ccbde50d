//! Templates.

use super::endpoints;

endpoints! { "/api/template/";
    /// A text with its templates filled in. They may run SQL over every notebook, SQL that writes too, so only checked
    /// texts are sent (`content::template`).
    read RENDER_SPRIG render_sprig(template: &str) -> String = "renderSprig" { "template": template };
}
