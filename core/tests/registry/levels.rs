//! The tools and actions listed at each level (B-015).

use expect_test::{Expect, expect};
use puppy_core::config::{Offer, Switches};
use puppy_core::part::Grouping;
use puppy_core::permission::Level;
use puppy_core::render::help;
use puppy_core::render::schema::{Descriptor, Detail, Style, descriptors_within};
use puppy_core::spec::{Effect, Tool};

const MORE: &str =
    "A person can allow more in SiYuan: Settings of the plugin MCP Puppy, Permissions and Agents.";

fn list(level: Level, grouping: Grouping) -> Vec<Descriptor> {
    let style = Style { grouping, ..Style::default() };
    descriptors_within(&Offer::new(Switches::default(), Some(level)), style, Detail::Full.bytes())
}

fn names(tool: &Descriptor) -> Vec<&str> {
    let names = tool.input_schema["properties"]["action"]["enum"].as_array().unwrap();
    names.iter().filter_map(|it| it.as_str()).filter(|it| *it != "help").collect()
}

/// One line a tool: its actions, whether clients may take it for harmless, and whether it says that there is more.
fn shown(level: Level, grouping: Grouping) -> String {
    let line = |it: &Descriptor| {
        let reads = if it.read_only { " (only reads)" } else { "" };
        let more = if it.description.contains(MORE) { " +" } else { "" };
        format!("{}: {}{reads}{more}\n", it.name(), names(it).join(" "))
    };
    list(level, grouping).iter().map(line).collect()
}

fn check(level: Level, grouping: Grouping, expected: &Expect) {
    expected.assert_eq(&shown(level, grouping));
}

/// B-015: what no level allows is not there; what is left says truthfully whether it only reads, and that there is
/// more.
#[test]
fn each_level_lists_what_it_allows() {
    check(
        Level::None,
        Grouping::Grouped,
        &expect![[r#"
            notebook: create +
            file: list_templates read_template (only reads) +
            system: get_info get_changelog notify ask_user +
            mascot: status shop buy
        "#]],
    );
    check(
        Level::Read,
        Grouping::Grouped,
        &expect![[r#"
            fs: list tree read grep info (only reads) +
            notebook: list info create get_permissions +
            document: info read outline list search history (only reads) +
            block: get info list recent get_attrs word_count (only reads) +
            av: search get list_rows find_rows (only reads) +
            file: list_assets read_asset export list_templates read_template render_template +
            search: text sql attributes backlinks outlinks ref_targets invalid_refs assets asset_content (only reads) +
            tag: list (only reads) +
            system: get_info get_config get_changelog notify ask_user get_ui_state open_document scroll_to_block reload_ui list_runs list_snapshots +
            flashcard: list_decks list_cards list_due (only reads) +
            mascot: status shop buy
        "#]],
    );
    check(
        Level::Write,
        Grouping::Grouped,
        &expect![[r#"
            fs: list tree read write edit grep info move +
            notebook: list info create rename set_icon set_open_state reorder set_conf get_permissions
            document: create ensure info read outline list search rename move reorder duplicate set_properties daily_note from_block history restore +
            block: get info list recent insert append prepend update edit move move_section set_heading_level set_task fold get_attrs set_attrs word_count transfer_refs swap_ref add_to_daily_note +
            av: search get list_rows find_rows create rename add_rows set_cells add_column update_column add_view update_view duplicate +
            file: upload_asset list_assets read_asset rename_asset set_asset_text export list_templates read_template save_template render_template
            search: text sql attributes backlinks outlinks ref_targets invalid_refs find_replace assets asset_content
            tag: list rename remove
            system: get_info get_config get_changelog notify ask_user get_ui_state open_document scroll_to_block reload_ui sync list_runs put_back begin_errand list_snapshots create_snapshot
            flashcard: list_decks list_cards list_due add_cards remove_cards review_card reschedule_cards create_deck
            mascot: status shop buy
        "#]],
    );
    check(
        Level::Delete,
        Grouping::Grouped,
        &expect![[r#"
            fs: list tree read write edit grep info move remove
            notebook: list info create rename set_icon set_open_state reorder set_conf get_permissions
            document: create ensure info read outline list search rename move reorder duplicate remove set_properties daily_note from_block to_heading history restore
            block: get info list recent insert append prepend update edit delete move move_section set_heading_level set_task fold get_attrs set_attrs word_count transfer_refs swap_ref add_to_daily_note
            av: search get list_rows find_rows create rename add_rows set_cells remove_rows add_column update_column remove_column add_view update_view remove_view duplicate
            file: upload_asset list_assets read_asset rename_asset set_asset_text export list_templates read_template save_template render_template
            search: text sql attributes backlinks outlinks ref_targets invalid_refs find_replace assets asset_content
            tag: list rename remove
            system: get_info get_config get_changelog notify ask_user get_ui_state open_document scroll_to_block reload_ui sync list_runs put_back begin_errand list_snapshots create_snapshot
            flashcard: list_decks list_cards list_due add_cards remove_cards review_card reschedule_cards create_deck
            mascot: status shop buy
        "#]],
    );
}

/// B-015: the same, with reads and changes apart.
#[test]
fn each_level_lists_the_halves_that_it_allows() {
    check(
        Level::None,
        Grouping::Split,
        &expect![[r#"
            notebook_edit: create +
            file: list_templates read_template (only reads) +
            system: get_info get_changelog ask_user (only reads) +
            system_edit: notify +
            mascot: status shop (only reads)
            mascot_edit: buy
        "#]],
    );
    check(
        Level::Read,
        Grouping::Split,
        &expect![[r#"
            fs: list tree read grep info (only reads) +
            notebook: list info get_permissions (only reads)
            notebook_edit: create +
            document: info read outline list search history (only reads) +
            block: get info list recent get_attrs word_count (only reads) +
            av: search get list_rows find_rows (only reads) +
            file: list_assets read_asset list_templates read_template (only reads)
            file_edit: export render_template +
            search: text sql attributes backlinks outlinks ref_targets invalid_refs assets asset_content (only reads) +
            tag: list (only reads) +
            system: get_info get_config get_changelog ask_user get_ui_state list_runs list_snapshots (only reads)
            system_edit: notify open_document scroll_to_block reload_ui +
            flashcard: list_decks list_cards list_due (only reads) +
            mascot: status shop (only reads)
            mascot_edit: buy
        "#]],
    );
    check(
        Level::Write,
        Grouping::Split,
        &expect![[r#"
            fs: list tree read grep info (only reads)
            fs_edit: write edit move +
            notebook: list info get_permissions (only reads)
            notebook_edit: create rename set_icon set_open_state reorder set_conf
            document: info read outline list search history (only reads)
            document_edit: create ensure rename move reorder duplicate set_properties daily_note from_block restore +
            block: get info list recent get_attrs word_count (only reads)
            block_edit: insert append prepend update edit move move_section set_heading_level set_task fold set_attrs transfer_refs swap_ref add_to_daily_note +
            av: search get list_rows find_rows (only reads)
            av_edit: create rename add_rows set_cells add_column update_column add_view update_view duplicate +
            file: list_assets read_asset list_templates read_template (only reads)
            file_edit: upload_asset rename_asset set_asset_text export save_template render_template
            search: text sql attributes backlinks outlinks ref_targets invalid_refs assets asset_content (only reads)
            search_edit: find_replace
            tag: list (only reads)
            tag_edit: rename remove
            system: get_info get_config get_changelog ask_user get_ui_state list_runs list_snapshots (only reads)
            system_edit: notify open_document scroll_to_block reload_ui sync put_back begin_errand create_snapshot
            flashcard: list_decks list_cards list_due (only reads)
            flashcard_edit: add_cards remove_cards review_card reschedule_cards create_deck
            mascot: status shop (only reads)
            mascot_edit: buy
        "#]],
    );
    check(
        Level::Delete,
        Grouping::Split,
        &expect![[r#"
            fs: list tree read grep info (only reads)
            fs_edit: write edit move remove
            notebook: list info get_permissions (only reads)
            notebook_edit: create rename set_icon set_open_state reorder set_conf
            document: info read outline list search history (only reads)
            document_edit: create ensure rename move reorder duplicate remove set_properties daily_note from_block to_heading restore
            block: get info list recent get_attrs word_count (only reads)
            block_edit: insert append prepend update edit delete move move_section set_heading_level set_task fold set_attrs transfer_refs swap_ref add_to_daily_note
            av: search get list_rows find_rows (only reads)
            av_edit: create rename add_rows set_cells remove_rows add_column update_column remove_column add_view update_view remove_view duplicate
            file: list_assets read_asset list_templates read_template (only reads)
            file_edit: upload_asset rename_asset set_asset_text export save_template render_template
            search: text sql attributes backlinks outlinks ref_targets invalid_refs assets asset_content (only reads)
            search_edit: find_replace
            tag: list (only reads)
            tag_edit: rename remove
            system: get_info get_config get_changelog ask_user get_ui_state list_runs list_snapshots (only reads)
            system_edit: notify open_document scroll_to_block reload_ui sync put_back begin_errand create_snapshot
            flashcard: list_decks list_cards list_due (only reads)
            flashcard_edit: add_cards remove_cards review_card reschedule_cards create_deck
            mascot: status shop (only reads)
            mascot_edit: buy
        "#]],
    );
}

/// B-015: a client that asks a person before every tool without `readOnlyHint` is never asked in a run of reads: at
/// `r` by the grouped list for all that is read in notebooks, at every level by the split one.
#[test]
fn a_client_that_honours_the_hint_is_not_asked_for_reads() {
    let asked = |level, grouping, of: &dyn Fn(Tool) -> bool| {
        let reads = puppy_core::registry::ACTIONS.iter().filter(|it| it.worst == Effect::Read && of(it.tool));
        let list = list(level, grouping);
        let asks = |spec: &&&puppy_core::spec::ActionSpec| {
            let first = list.iter().find(|it| it.tool == spec.tool && names(it).contains(&spec.name));
            first.is_some_and(|it| !it.read_only)
        };
        reads.filter(asks).map(|it| it.path()).collect::<Vec<_>>()
    };
    for level in Level::ALL {
        assert_eq!(asked(level, Grouping::Split, &|_| true), Vec::<String>::new(), "{level}");
    }
    // Some tools can do something that needs no notebook at `rw`: make one, export a document, buy the puppy a treat.
    let of_notes = |tool| ![Tool::Notebook, Tool::File, Tool::System, Tool::Mascot].contains(&tool);
    assert_eq!(asked(Level::Read, Grouping::Grouped, &of_notes), Vec::<String>::new());
    assert_ne!(asked(Level::Write, Grouping::Grouped, &of_notes), Vec::<String>::new());
}

/// B-015, B-022: help leaves out the same actions; asked about one of them, it says where a person can allow it.
#[test]
fn help_leaves_out_what_no_level_allows() {
    let offer = Offer::new(Switches::default(), Some(Level::Read));
    let help_page = |topic| help::help(Tool::Document, topic, &offer).unwrap().body.unwrap();
    let overview = help_page(None);
    assert!(
        overview.contains("info(") && !overview.contains("remove(") && overview.contains(MORE),
        "{overview}"
    );
    let page = help_page(Some("remove"));
    assert!(page.contains("Not allowed in any notebook") && page.contains(MORE), "{page}");
    assert!(!help_page(Some("info")).contains(MORE));
    let all = Offer::new(Switches::default(), Some(Level::Delete));
    let overview = help::help(Tool::Document, None, &all).unwrap().body.unwrap();
    assert!(overview.contains("remove(") && !overview.contains(MORE), "{overview}");
}
