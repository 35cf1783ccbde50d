//! Rules for the pictures that the marketplace shows.

use super::Findings;
use crate::archive::Package;

/// Name, width, height and most bytes.
const PICTURES: [(&str, u32, u32, usize); 2] =
    [("icon.png", 160, 160, 20 * 1024), ("preview.png", 1024, 768, 200 * 1024)];

/// Newer rules of the marketplace allow more; these hold everywhere.
pub(super) fn sizes_are_those_of_the_marketplace(package: &Package) -> Findings {
    let mut found = Findings::new();
    for (name, width, height, most) in PICTURES {
        let Some(bytes) = package.files.get(name) else { continue };
        match size(bytes) {
            None => found.push(format!("{name} is no PNG")),
            Some(size) if size != (width, height) => {
                found.push(format!("{name} is {}×{}, it must be {width}×{height}", size.0, size.1));
            }
            Some(_) if bytes.len() > most => {
                found.push(format!("{name} has {} bytes, at most {most} are allowed", bytes.len()));
            }
            Some(_) => {}
        }
    }
    found
}

/// Width and height of a PNG, from its first chunk.
fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let head = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    (head.get(4..8)? == b"IHDR").then_some(())?;
    let number = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
    Some((number(8)?, number(12)?))
}
