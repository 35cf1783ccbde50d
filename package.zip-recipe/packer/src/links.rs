//! Links of the READMEs: the package holds neither the docs nor their pictures, so its READMEs lead to the repository.

use crate::plugin::Files;

pub(crate) const READMES: [&str; 2] = ["README.md", "README.zh-CN.md"];
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Lets links to what is not in the package lead to the repository, as it was at this version.
pub(crate) fn lead_out(files: &mut Files) {
    for name in READMES {
        let Some(text) = files.get(name).and_then(|bytes| std::str::from_utf8(bytes).ok()) else { continue };
        let mut parts = text.split("](");
        let mut led = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            led.push_str("](");
            let target = target(part);
            if leads_nowhere(files, target) {
                // The page about a picture is no picture.
                let kind = if target.ends_with(".png") { "raw" } else { "blob" };
                led.push_str(&format!("{REPOSITORY}/{kind}/v{VERSION}/"));
            }
            led.push_str(part);
        }
        files.put(name, led.into_bytes());
    }
}

/// The links of a file that lead to nothing in the package.
pub(crate) fn stranded<'a>(files: &'a Files, name: &str) -> Vec<&'a str> {
    files.text(name).split("](").skip(1).map(target).filter(|it| leads_nowhere(files, it)).collect()
}

/// The target of a link, from the text behind its `](`.
fn target(text: &str) -> &str {
    text.split(')').next().unwrap_or_default()
}

fn leads_nowhere(files: &Files, target: &str) -> bool {
    let file = target.split('#').next().unwrap_or_default();
    !file.is_empty() && !target.contains("://") && files.get(file).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_packed_leads_to_the_repository() {
        let mut files = Files::default();
        files.put("preview.png", Vec::new());
        let text =
            "![a](preview.png) [b](https://example.org/x) [c](#d) [e](docs/f.md#g) ![h](docs/i.png) [j](k";
        files.put("README.md", text.as_bytes().to_vec());
        assert_eq!(stranded(&files, "README.md"), ["docs/f.md#g", "docs/i.png", "k"]);
        lead_out(&mut files);
        let led = files.text("README.md");
        assert!(led.starts_with("![a](preview.png) [b](https://example.org/x) [c](#d) [e]("), "{led}");
        assert!(led.contains(&format!("[e]({REPOSITORY}/blob/v{VERSION}/docs/f.md#g)")), "{led}");
        assert!(led.contains(&format!("![h]({REPOSITORY}/raw/v{VERSION}/docs/i.png)")), "{led}");
        assert!(stranded(&files, "README.md").is_empty());
        assert!(files.get("README.zh-CN.md").is_none(), "a missing one stays missing");
    }
}
