//! Links of the READMEs: the marketplace and SiYuan show them at addresses of their own, so they lead to the repository.

use crate::plugin::Files;

pub(crate) const READMES: [&str; 2] = ["README.md", "README.zh-CN.md"];
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Lets every relative link lead to the repository, as it was at this version.
pub(crate) fn lead_out(files: &mut Files) {
    for name in READMES {
        let Some(text) = files.get(name).and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
        let mut parts = text.split("](");
        let mut led = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            led.push_str("](");
            let target = target(part);
            if is_relative(target) {
                // The page about a picture is no picture.
                let kind = if target.ends_with(".png") { "raw" } else { "blob" };
                led.push_str(&format!("{REPOSITORY}/{kind}/v{VERSION}/"));
            }
            led.push_str(part);
        }
        files.put(name, led.into_bytes());
    }
}

/// The relative links of a file, in Markdown and in HTML.
pub(crate) fn relative<'a>(files: &'a Files, name: &str) -> Vec<&'a str> {
    let text = files.text(name);
    let attributes = [" src=\"", " href=\""].into_iter();
    let html = attributes.flat_map(|it| text.split(it).skip(1)).filter_map(|it| it.split('"').next());
    text.split("](").skip(1).map(target).chain(html).filter(|it| is_relative(it)).collect()
}

/// The target of a link, from the text behind its `](`.
fn target(text: &str) -> &str {
    text.split(')').next().unwrap_or_default()
}

/// Whether a target depends on where the page is shown; a heading of the same page does not.
fn is_relative(target: &str) -> bool {
    let file = target.split('#').next().unwrap_or_default();
    !file.is_empty() && !target.contains("://") && !target.starts_with("mailto:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relative_link_leads_to_the_repository() {
        let mut files = Files::default();
        files.put("LICENSE", Vec::new());
        let text = "[a](LICENSE) [b](https://example.org/x) [c](#d) [e](docs/f.md#g) ![h](docs/i.png) [j](k";
        files.put("README.md", text.as_bytes().to_vec());
        assert_eq!(relative(&files, "README.md"), ["LICENSE", "docs/f.md#g", "docs/i.png", "k"]);
        lead_out(&mut files);
        let led = files.text("README.md");
        assert!(led.starts_with(&format!("[a]({REPOSITORY}/blob/v{VERSION}/LICENSE) [b](https://")), "{led}");
        assert!(led.contains(&format!("[c](#d) [e]({REPOSITORY}/blob/v{VERSION}/docs/f.md#g)")), "{led}");
        assert!(led.contains(&format!("![h]({REPOSITORY}/raw/v{VERSION}/docs/i.png)")), "{led}");
        assert!(relative(&files, "README.md").is_empty());
        assert!(files.get("README.zh-CN.md").is_none(), "a missing one stays missing");
    }

    #[test]
    fn relative_links_of_html_are_found() {
        let mut files = Files::default();
        let text = "<img src=\"a.png\"> <a href=\"https://example.org\">b</a> <a href=\"#c\">c</a>";
        files.put("README.md", text.as_bytes().to_vec());
        assert_eq!(relative(&files, "README.md"), ["a.png"]);
    }
}
