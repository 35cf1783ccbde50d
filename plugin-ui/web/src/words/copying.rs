//! What is said of a copy.

texts! {
    /// What is said of a copy.
    CopyWords:
    /// What was done.
    copied: "Copied", "已复制";
    /// Error.
    not_copied: "Not copied: select the text and copy it by hand", "复制失败，请手动选择文本复制";
}
