//! The pictures that models can look at, recognized by their first bytes.

/// The MIME type of a picture in one of the four formats that models take.
pub fn mime(bytes: &[u8]) -> Option<&'static str> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let webp = || starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    if starts(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if starts(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        Some("image/gif")
    } else if webp() {
        Some("image/webp")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::mime;

    /// B-120: a name proves nothing, the bytes do.
    #[test]
    fn a_picture_is_told_by_its_bytes() {
        assert_eq!(mime(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(mime(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(mime(b"GIF89a.."), Some("image/gif"));
        assert_eq!(mime(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        for other in [&b""[..], b"RIFF\0\0\0\0WAVE", b"<svg xmlns", b"\x89PNG", b"%PDF-1.7"] {
            assert_eq!(mime(other), None, "{other:?}");
        }
    }
}
