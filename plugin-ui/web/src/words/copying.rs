//! Messages about copying a text.

texts! {
    /// Messages about copying a text.
    CopyWords:
    copied: "Copied", "已复制";
    not_copied: "Could not copy. Select the text and copy it manually", "复制失败，请手动选择文本复制";
}
