//! The golden table of all actions: their level, effect and danger, so that a change of one is seen in review.

use expect_test::expect_file;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Access, ActionSpec, Danger, Effect, Tier, Tool};

const LEGEND: &str = "\
<!-- Written from the declarations; to bring it up to date: UPDATE_EXPECT=1 cargo test -p puppy-core --test registry -->

**basic** or advanced; level (`ws` of the workspace, `some` of any notebook, `–` none); effect R read, W write, S screen,
D destructive, X external, the second one with certain arguments only; ⚠ asks, ⚠? asks sometimes; off by default.
";

fn row(spec: &ActionSpec) -> String {
    let name = match spec.tier {
        Tier::Basic => format!("**{}**", spec.name),
        Tier::Advanced => spec.name.to_owned(),
    };
    let scope = match spec.access {
        Access::Workspace(_) => " ws",
        Access::Some(_) => " some",
        _ => "",
    };
    let level = spec.level().map_or("–", Level::word);
    let letter = |effect: Effect| match effect {
        Effect::Read => "R",
        Effect::Screen => "S",
        Effect::Write => "W",
        Effect::Destructive => "D",
        Effect::External => "X",
    };
    let worst = if spec.effect == spec.worst { String::new() } else { format!("/{}", letter(spec.worst)) };
    let danger = match spec.danger {
        Danger::None => "",
        Danger::Always(_) | Danger::InSiyuan(_) => " ⚠",
        Danger::Sometimes(_) => " ⚠?",
    };
    let off = if spec.default_on { "" } else { " off" };
    format!("- {name}{scope} {level} {}{worst}{danger}{off}\n", letter(spec.effect))
}

/// B-001: the table has the order of the registry.
#[test]
fn action_table_matches_the_golden_file() {
    let mut table = LEGEND.to_owned();
    let mut tool: Option<Tool> = None;
    for spec in ACTIONS {
        if tool.replace(spec.tool) != Some(spec.tool) {
            table.push_str(&format!("\n## {}\n\n", spec.tool.name()));
        }
        table.push_str(&row(spec));
    }
    expect_file!["../golden/actions.md"].assert_eq(&table);
}
