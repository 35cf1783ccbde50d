//! Files that a browser shows as pages. SiYuan serves assets from its own address, so a page among them runs its
//! scripts in SiYuan's window.

/// The extensions of pages, and of files that a browser turns into pages.
const PAGES: [&str; 13] =
    ["html", "htm", "shtml", "shtm", "xhtml", "xhtm", "xht", "svgz", "xml", "xsl", "xslt", "mht", "mhtml"];

/// The extensions that SiYuan serves as text or data on every system. For others a system has types of its own, and
/// without one the content decides.
const PLAIN: [&str; 7] = ["md", "markdown", "css", "js", "mjs", "json", "sy"];

/// Whether a file of that name is a page, whatever it holds.
pub fn is_page(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| PAGES.iter().any(|it| it.eq_ignore_ascii_case(end)))
}

/// Whether a file of that name may be served as a page because it begins like HTML or XML.
pub fn begins_as_page(name: &str, bytes: &[u8]) -> bool {
    let plain =
        name.rsplit_once('.').is_some_and(|(_, end)| PLAIN.iter().any(|it| it.eq_ignore_ascii_case(end)));
    // Marks of an encoding and blanks may stand first, and in some encodings every second byte is zero.
    let skipped =
        |it: &&u8| it.is_ascii_whitespace() || matches!(it, 0 | 0x0b | 0xef | 0xbb | 0xbf | 0xfe | 0xff);
    let mut letters = bytes.iter().skip_while(skipped).filter(|it| **it != 0);
    let begins = letters.next() == Some(&b'<')
        && letters.next().is_some_and(|it| it.is_ascii_alphabetic() || matches!(it, b'!' | b'?' | b'/'));
    begins && !plain
}
