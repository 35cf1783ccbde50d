//! Text, links, SQL: finding blocks across notebooks.

mod asked;
pub mod asset_content;
pub mod assets;
pub mod attributes;
pub mod backlinks;
mod excerpt;
mod fts;
pub mod invalid_refs;
pub mod outlinks;
mod page;
mod part;
pub mod ref_targets;
mod row;
pub mod sql;
pub mod text;
mod types;

actions! {
    text::FindText,
    sql::Sql,
    attributes::Attributes,
    backlinks::Backlinks,
    outlinks::Outlinks,
    ref_targets::RefTargets,
    invalid_refs::InvalidRefs,
    assets::FindAssets,
    asset_content::AssetContent,
}
