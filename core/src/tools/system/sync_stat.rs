//! SiYuan's words about the last sync, without what they tell of closed notebooks.

/// The outcome in words, without its numbers: they count what was sent of every notebook. Words that name a file or a
/// folder are left out.
pub(super) fn without_numbers(stat: &str) -> String {
    if stat.contains(['/', '\\']) || stat.contains(".sy") {
        return String::new();
    }
    let mut masked = String::with_capacity(stat.len());
    for letter in stat.chars() {
        match letter {
            '0'..='9' if masked.ends_with('#') => {}
            '0'..='9' => masked.push('#'),
            letter => masked.push(letter),
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn numbers_and_paths_of_a_sync_stay_out() {
        assert_eq!(without_numbers("Uploaded 12 files, 3.5 MB"), "Uploaded # files, #.# MB");
        assert_eq!(
            without_numbers("Data synchronization has not been enabled"),
            "Data synchronization has not been enabled"
        );
        for path in ["open /home/ana/notes: denied", "open C:\\notes", "20250101000000-secret0.sy is locked"]
        {
            assert_eq!(without_numbers(path), "");
        }
    }
}
