//! Text, links, SQL: finding blocks across notebooks.

mod any_word;
mod asked;
pub mod asset_content;
pub mod assets;
pub mod attributes;
pub mod backlinks;
mod excerpt;
pub mod find_replace;
mod fts;
pub mod invalid_refs;
pub mod outlinks;
mod page;
mod part;
pub mod ref_targets;
mod row;
pub mod sql;
pub mod text;
mod titles;
mod types;

actions! {
    text::FindText,
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
