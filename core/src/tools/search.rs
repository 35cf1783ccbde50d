//! Text, links, SQL: finding blocks across notebooks.

mod any_word;
pub mod asset_content;
pub mod assets;
pub mod attributes;
pub mod backlinks;
mod blend;
mod excerpt;
pub mod find_replace;
mod fts;
pub mod invalid_refs;
mod like;
mod looking;
pub mod outlinks;
mod page;
mod part;
mod ranking;
pub mod ref_targets;
mod row;
mod search_query;
pub mod semantic;
pub mod sql;
pub mod text;
mod titles;
mod types;

actions! {
    text::FindText,
    semantic::Semantic,
    sql::Sql,
    attributes::Attributes,
    backlinks::Backlinks,
    outlinks::Outlinks,
    ref_targets::RefTargets,
    invalid_refs::InvalidRefs,
    find_replace::FindReplace,
    assets::FindAssets,
    asset_content::AssetContent,
}
