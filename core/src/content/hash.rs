//! The hash that `expect` compares: of a block's Markdown, whatever its attributes (B-035).

use sha2::{Digest, Sha256};

/// The first 12 hex digits of the SHA-256 of the text without zero-width spaces.
///
/// The text is a block's Markdown as `getChildBlocks` returns it. It has no attribute lists, whose order the kernel
/// varies from call to call.
pub fn of_markdown(markdown: &str) -> String {
    of_blocks([markdown])
}

/// The hash of a document: of its blocks in order.
pub fn of_blocks<'a>(blocks: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for (at, block) in blocks.into_iter().enumerate() {
        if at > 0 {
            hasher.update(b"\n\n");
        }
        hasher.update(block.replace('\u{200b}', "").as_bytes());
    }
    hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{of_blocks, of_markdown};

    #[test]
    fn hash_ignores_zero_width_spaces_but_not_order() {
        assert_eq!(of_markdown("`a`\u{200b}"), of_markdown("`a`"));
        assert_ne!(of_blocks(["a", "b"]), of_blocks(["b", "a"]));
        // SHA-256 of "abc" begins ba7816bf8f01.
        assert_eq!(of_markdown("abc"), "ba7816bf8f01");
    }
}
