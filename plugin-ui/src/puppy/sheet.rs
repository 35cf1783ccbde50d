//! The contact sheet: every state, prop, item, idle motion and coat, in both themes, two sizes, colour and grey.

use std::io::{Result, Write};

use puppy_core::activity::shop::Item;
use puppy_core::spec::Tool;
use puppy_plugin_ui::state::act::Act;
use puppy_plugin_ui::state::idle;
use puppy_plugin_ui::state::puppy::{Scene, State};
use puppy_plugin_ui::state::settings::{Coat, Collar};

use super::look::look;
use super::motion::{MOTIONS, Motion};
use super::paint::{DRAWING, Picture};

/// The theme's colours that the drawing uses; in the page they are the host's.
const STYLE: &str = include_str!("sheet.css");

/// A picture with its name.
struct Cell {
    name: String,
    scene: Scene,
    coat: Coat,
    collar: Collar,
}

impl Cell {
    fn new(name: &str, scene: Scene) -> Cell {
        Cell { name: name.to_owned(), scene, coat: Coat::Honey, collar: Collar::Theme }
    }
}

/// Everything that there is to see, by groups.
fn groups() -> Vec<(&'static str, Vec<Cell>)> {
    let acting = |act, tool| Scene { tool: Some(tool), ..Scene::of(State::Acting(act)) };
    let mut states: Vec<Cell> = State::ALL.iter().rev().map(|state| state_cell(*state)).collect();
    let burst = Scene { burst: 12, ..acting(Act::Reading, Tool::Document) };
    states.push(Cell::new("burst", burst));
    let reading = Tool::ALL.iter().map(|tool| Cell::new(tool.name(), acting(Act::Reading, *tool))).collect();
    let rest = [Act::Writing, Act::Moving, Act::Deleting];
    let others = Tool::ALL.iter().zip(rest.into_iter().cycle());
    let others = others.map(|(tool, act)| {
        let scene = acting(act, *tool);
        Cell::new(&format!("{} {}", scene.state.word(), tool.name()), scene)
    });
    let items = Item::ALL.into_iter().map(|item| {
        let scene = Scene { item: Some(item), wears: item == Item::Bow, ..Scene::of(State::with(item)) };
        Cell::new(item.word(), scene)
    });
    let idle = idle::Motion::ALL.into_iter().map(|motion| {
        let scene = Scene { motion: Some(motion), ..Scene::of(State::Idle) };
        Cell::new(motion.word(), scene)
    });
    let coats = Coat::ALL.iter().flat_map(|coat| {
        [State::Idle, State::Success, State::Acting(Act::Moving)].map(|state| Cell {
            name: coat.word().to_owned(),
            coat: *coat,
            ..state_cell(state)
        })
    });
    let collars = Collar::ALL.iter().map(|collar| Cell {
        name: collar.word().to_owned(),
        collar: *collar,
        ..state_cell(State::Idle)
    });
    vec![
        ("States", states),
        ("Reading, by tool", reading),
        ("Writing, moving and deleting, by tool", others.collect()),
        ("Items", items.collect()),
        ("Idle", idle.collect()),
        ("Coats", coats.collect()),
        ("Collars", collars.collect()),
    ]
}

fn state_cell(state: State) -> Cell {
    let scene = match state {
        State::Acting(_) => Scene { tool: Some(Tool::Document), ..Scene::of(state) },
        State::Eating => Scene { item: Some(Item::Bone), ..Scene::of(state) },
        State::Playing => Scene { item: Some(Item::Ball), ..Scene::of(state) },
        State::Petting | State::Success => Scene { hearts: true, ..Scene::of(state) },
        _ => Scene::of(state),
    };
    Cell::new(state.word(), scene)
}

/// The drawing of a scene. Still, or `at` so many milliseconds within its motion.
fn figure(cell: &Cell, at: Option<u32>) -> String {
    let picture = Picture::of(&cell.scene);
    let attributes: String =
        picture.attributes().iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    let drawing = drawn(&picture);
    let drawing = drawing.replace("×9", &format!("×{}", cell.scene.burst));
    let time = at.map_or_else(|| " data-calm=\"true\"".to_owned(), |at| format!(" style=\"--at:-{at}ms\""));
    let name = at.map_or_else(|| cell.name.clone(), |at| format!("{} +{at} ms", cell.name));
    format!(
        "<figure><div class=\"pup-dog\" data-coat=\"{}\" data-collar=\"{}\"{time}{attributes}>{drawing}</div><figcaption>{name}</figcaption></figure>",
        cell.coat.word(),
        cell.collar.word(),
    )
}

/// The drawing with the parts that show and nothing else: the page has hundreds of it.
fn drawn(picture: &Picture<'_>) -> String {
    let mut drawing = String::with_capacity(DRAWING.len());
    let mut rest = DRAWING;
    while let Some((before, after)) = rest.split_once("<g data-part=\"") {
        let (part, behind) = after.split_once('"').unwrap_or((after, ""));
        let style = picture.style(part);
        drawing += before;
        if style == "display:none" {
            rest = behind_group(behind);
        } else {
            drawing += &format!("<g data-part=\"{part}\" style=\"{style}\"");
            rest = behind;
        }
    }
    drawing + rest
}

/// What follows a group, of which the beginning has been read.
fn behind_group(mut rest: &str) -> &str {
    let mut depth = 1;
    while depth > 0 {
        let Some((before, after)) = rest.split_once("</g>") else { return "" };
        depth += before.matches("<g ").count();
        depth -= 1;
        rest = after;
    }
    rest
}

/// Writes the page.
pub(crate) fn write(mut out: impl Write) -> Result<()> {
    writeln!(
        out,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>The puppy, everything</title>"
    )?;
    writeln!(out, "<style>{}{STYLE}</style>", include_str!("../../../index.css"))?;
    for theme in ["light", "dark"] {
        for (size, tone) in [(96, "colour"), (48, "grey"), (48, "colour"), (96, "grey")] {
            let section = format!("data-theme-mode=\"{theme}\" data-size=\"{size}\" data-tone=\"{tone}\"");
            writeln!(out, "<section id=\"{theme}-{size}-{tone}\" {section}>")?;
            writeln!(out, "<h1>{theme}, {size} px, {tone}</h1>")?;
            for (title, cells) in groups() {
                let figures: String = cells.iter().map(|cell| figure(cell, None)).collect();
                writeln!(out, "<h2>{title}</h2><div class=\"row\">{figures}</div>")?;
            }
            writeln!(out, "</section>")?;
        }
    }
    writeln!(out, "<section id=\"motions\" data-theme-mode=\"light\" data-size=\"96\"><h1>Motions</h1>")?;
    for (motion, cell) in motions() {
        let length = motion.tracks.iter().map(|track| u32::from(track.length)).max().unwrap_or(0);
        let figures: String = (0..8).map(|step| figure(&cell, Some(step * length / 8))).collect();
        writeln!(out, "<h2>{}</h2><div class=\"row\">{figures}</div>", motion.name)?;
    }
    writeln!(out, "</section></html>")
}

/// Every motion with the first picture that has it.
fn motions() -> Vec<(Motion, Cell)> {
    let cells = || groups().into_iter().flat_map(|(_, cells)| cells);
    MOTIONS
        .iter()
        .filter_map(|motion| Some((*motion, cells().find(|cell| look(&cell.scene).motion == motion.name)?)))
        .collect()
}
