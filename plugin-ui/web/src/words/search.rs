//! The texts of the search over all pages.

texts! {
    /// The texts of the search.
    SearchWords:
    /// Label of the search.
    search: "Search the settings", "搜索设置";
    /// The number of hits.
    hits: "{n} found", "找到 {n} 项";
    /// More hits than are listed.
    hits_more: "{n} found, showing the first {most}", "找到 {n} 项，显示前 {most} 项";
    no_hit: "Nothing found. Try a shorter word.", "没有找到，试试更短的词。";
    /// Kind of a hit.
    a_page: "Page", "页面";
}
