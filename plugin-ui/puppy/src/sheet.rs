//! The contact sheet: every state, prop, item, idle motion and coat, in both themes, two sizes, colour and grey.

use std::io::{Result, Write};

use puppy_core::spec::Tool;
use puppy_ui_web::state::act::Act;
use puppy_ui_web::state::scene::{Scene, State};
use puppy_ui_web::state::settings::{Choice as _, Coat, Collar};
use puppy_ui_web::state::stage::{self, SceneGroup};

use super::motion::{ANIMATIONS, Animation};
use super::paint::{DRAWING, Picture};

/// The theme's colours that the drawing uses; in the page they are the host's.
const STYLE: &str = include_str!("sheet.css");

/// A picture with its name.
#[derive(Clone)]
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

/// Every picture by groups: the scenes of the test mode, then tools, coats and collars.
fn groups() -> Vec<(String, Vec<Cell>)> {
    let mut groups: Vec<_> = SceneGroup::ALL
        .into_iter()
        .map(|group| {
            (group.word().to_owned(), group.names().into_iter().map(|it| staged(group, it)).collect())
        })
        .collect();
    let rest = [Act::Writing, Act::Moving, Act::Deleting];
    let tools = Tool::ALL.iter().zip(rest.into_iter().cycle()).map(|(tool, act)| {
        let scene = Scene { tool: Some(*tool), ..Scene::of(State::Acting(act)) };
        Cell::new(&format!("{} {}", scene.state.word(), tool.name()), scene)
    });
    groups.push(("tool, other acts".to_owned(), tools.collect()));
    let coats = Coat::all().flat_map(|coat| {
        ["idle", "success", "moving"].map(|state| Cell {
            name: coat.word().to_owned(),
            coat,
            ..staged(SceneGroup::State, state)
        })
    });
    groups.push(("coat".to_owned(), coats.collect()));
    let collars = Collar::all().map(|collar| Cell {
        name: collar.word().to_owned(),
        collar,
        ..staged(SceneGroup::State, "idle")
    });
    groups.push(("collar".to_owned(), collars.collect()));
    groups
}

fn staged(group: SceneGroup, name: &str) -> Cell {
    let scene = stage::scene(&format!("{} {name}", group.word()));
    Cell::new(name, scene.unwrap_or(Scene::of(State::Idle)))
}

/// The drawing of a scene: still, or `at` a number of milliseconds into its motion.
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

/// The drawing reduced to the parts that show, since the page contains hundreds of drawings.
fn drawn(picture: &Picture<'_>) -> String {
    let mut drawing = String::with_capacity(DRAWING.len());
    let mut rest = DRAWING;
    while let Some((before, after)) = rest.split_once("<g data-part=\"") {
        let (part, behind) = after.split_once('"').unwrap_or((after, ""));
        drawing += before;
        if picture.shows(part) {
            drawing += &format!("<g data-part=\"{part}\" style=\"{}\"", picture.style(part));
            rest = behind;
        } else {
            rest = behind_group(behind);
        }
    }
    drawing + rest
}

/// The text behind a group whose start tag has been read.
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
pub fn write(mut out: impl Write) -> Result<()> {
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
fn motions() -> Vec<(Animation, Cell)> {
    let landing = Cell::new("landing", Scene { lands: true, ..Scene::of(State::Idle) });
    let cells = || groups().into_iter().flat_map(|(_, cells)| cells).chain([landing.clone()]);
    ANIMATIONS
        .iter()
        .filter_map(|motion| {
            let cell = cells().find(|cell| Picture::of(&cell.scene).motion() == motion.name)?;
            Some((*motion, cell))
        })
        .collect()
}
