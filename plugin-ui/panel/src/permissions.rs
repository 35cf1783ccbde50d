//! The page of notebooks and levels: one value a row, a draft until Apply (B-064).

mod effective;
mod filter;
mod grid;
mod keys;
mod made;
mod matrix;
mod own_agent;
mod row;

use std::collections::BTreeSet;

use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Group, Space};
use puppy_ui_web::words::fill;

use self::effective::AgentView;
use self::filter::{FilterLine, LevelPresets, ManyLine};
use self::grid::{Grid, GridView};
use self::made::MadeLevel;
use self::matrix::Matrix;
use self::own_agent::OwnAgent;
use crate::frame::{self, Frame};
use crate::state::page::{DraftKind, PanelPage};
use crate::store::Store;

/// The number of notebooks from which on they can be filtered, and are changed together above the table.
const MANY: usize = 8;

/// The page.
#[component]
pub(crate) fn Permissions() -> AnyView {
    let store = Store::here();
    view! {
        <Frame
            page=PanelPage::Permissions
            drafted=DraftKind::Levels
            load=store.notebooks_load
            broken=store.words.broken_table
            content=|store| view! { <Notebooks store/> }.into_any()
        />
    }
    .into_any()
}

#[component]
fn Notebooks(store: Store) -> AnyView {
    let (words, more) = (store.words, store.draft_words);
    let matrix = Matrix::new(store);
    let grid = Grid::new(matrix);
    let empty = (matrix.all() == 0).then(|| view! { <div class="pup-empty">{words.no_notebooks}</div> });
    let is_none_shown = move || matrix.all() > 0 && matrix.picks.with(|it| it.shown.is_empty());
    let are_many = matrix.all() >= MANY;
    let many = view! { <ManyLine matrix keeps_place=are_many/> }.into_any();
    let (above, below) = if are_many {
        (Some(view! { <div><FilterLine matrix/>{many}</div> }.into_any()), None)
    } else {
        (None, Some(many))
    };
    view! {
        <div on:keydown=puppy_ui_parts::keys(move |event| frame::escape(event, || matrix.escape()))>
            <Group title=words.notebooks>
                <div class="pup-hint b3-label__text">{words.notebooks_hint}</div>
                {above}
                <Card>
                    <GridView
                        grid
                        on:keydown=puppy_ui_parts::keys(move |event| keys::in_grid(grid, event))
                    />
                    {empty}
                    <div class="pup-empty" class:fn__none=move || !is_none_shown()>
                        <span>{more.none_shown}</span>
                        <Space/>
                        <Button name="show-all" text=more.show_all press=move |_| matrix.clear()/>
                    </div>
                    <Unknown matrix/>
                </Card>
                {below}
                <LevelPresets matrix/>
                <details class="pup-hint pup-keys b3-label__text">
                    <summary>{more.keys_title}</summary>
                    {more.keys}
                </details>
            </Group>
            <AgentView store/>
            <MadeLevel store/>
            <OwnAgent store/>
        </div>
    }
    .into_any()
}

/// The ids of the table that no notebook has.
#[component]
fn Unknown(matrix: Matrix) -> AnyView {
    let (store, words) = (matrix.store, matrix.words);
    let unknown = move || {
        store.notebooks.with(|notebooks| {
            let mut ids = BTreeSet::new();
            ids.extend(notebooks.iter().map(|it| it.id.clone()));
            store.levels.with(|draft| draft.unknown(&ids))
        })
    };
    let forget = move |_| {
        let ids = unknown();
        let name = fill(words.forgotten, &[("n", &ids.len().to_string())]);
        store.edit_levels(|draft| draft.gesture(name.clone(), |it| ids.iter().for_each(|id| it.unlist(id))));
        matrix.say(&name);
    };
    view! {
        <div class="pup-foot fn__flex" class:fn__none=move || unknown().is_empty()>
            <span class="fn__flex-1 b3-label__text">
                {move || fill(words.unknown, &[("n", &unknown().len().to_string())])}
            </span>
            <Space/>
            <Button name="forget-unknown" text=words.forget disabled=store.readonly press=forget/>
        </div>
    }
    .into_any()
}
