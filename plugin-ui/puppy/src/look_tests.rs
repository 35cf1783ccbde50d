//! Every look: its parts exist, its motion is known, and no two states look alike.

use super::*;
use crate::paint::{DRAWING, Picture};
use puppy_core::spec::Tool;

fn has(part: &str) -> bool {
    DRAWING.contains(&format!("data-part=\"{part}\""))
}

/// Every scene that looks different.
pub(crate) fn all() -> Vec<Scene> {
    let states = State::ALL.map(Scene::of);
    let resting = Motion::ALL.map(|motion| Scene { motion: Some(motion), ..Scene::of(State::Idle) });
    // Results know their tool too.
    let tools = State::ALL
        .into_iter()
        .flat_map(|state| Tool::ALL.iter().map(move |tool| Scene { tool: Some(*tool), ..Scene::of(state) }));
    let items = ShopItem::ALL.map(|item| Scene { item: Some(item), ..Scene::of(State::with(item)) });
    let moods = Mood::ALL.map(|mood| Scene { mood, ..Scene::of(State::Idle) });
    let burst = Scene { burst: 9, ..Scene::of(State::Acting(Act::Reading)) };
    let landing = Scene { lands: true, ..Scene::of(State::Idle) };
    states.into_iter().chain(moods).chain(resting).chain(tools).chain(items).chain([burst, landing]).collect()
}

#[test]
fn every_part_of_a_look_is_drawn() {
    for scene in all() {
        let pose = look(&scene);
        let named = pose.body.parts().iter().chain(pose.with).copied().chain([pose.eyes, pose.mouth]);
        for part in named.chain(pose.mark) {
            assert!(has(part), "{part} of {scene:?}");
            assert!(Picture::of(&scene).shows(part), "{part} of {scene:?}");
        }
    }
    for item in ShopItem::ALL.into_iter().filter(|item| *item != ShopItem::Bow) {
        assert!(has(&format!("item-{}", item.word())), "{item:?}");
    }
}

/// B-295: each tool has its prop, which every acting pose shows, and only that one, and no other pose.
#[test]
fn every_acting_pose_shows_the_tools_prop() {
    for scene in &all() {
        let is_acting = matches!(scene.state, State::Acting(_));
        let picture = Picture::of(scene);
        for tool in Tool::ALL {
            let part = format!("tool-{}", tool.name());
            assert!(has(&part), "{part}");
            let is_shown = picture.shows(&part);
            assert_eq!(is_shown, is_acting && scene.tool == Some(tool), "{part} of {scene:?}");
        }
        assert!(!is_acting || look(scene).mark.is_some(), "{scene:?}");
    }
}

/// The page paints only when the figure has changed, so nothing outside of it may move or show a part.
#[test]
fn equal_figures_paint_equal_pictures() {
    let parts: Vec<&str> =
        DRAWING.split("data-part=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    let mut scenes = all();
    for scene in all() {
        scenes.push(Scene { hearts: true, blinks: 3, says: Some(scene.state), ..scene });
        scenes.push(Scene { wears: true, burst: 5, lands: true, ..scene });
        scenes.push(Scene { blinks: 8, ..scene });
    }
    let painted = |scene: &Scene| {
        let picture = Picture::of(scene);
        (picture.figure(), parts.iter().map(|part| picture.style(part)).collect::<Vec<_>>())
    };
    let painted: Vec<_> = scenes.iter().map(painted).collect();
    let mut alike = 0;
    for (at, (figure, styles)) in painted.iter().enumerate() {
        for (other, other_styles) in &painted[at + 1..] {
            if figure == other {
                assert_eq!(styles, other_styles, "{figure:?}");
                alike += 1;
            }
        }
    }
    assert!(parts.len() > 50 && alike > 100, "{} parts, {alike} pairs", parts.len());
}

/// B-294, B-296: states differ by shape, not by colour alone.
#[test]
fn states_differ_by_shape() {
    let looks = State::ALL.map(|state| look(&Scene::of(state)));
    for (at, look) in looks.iter().enumerate() {
        let is_like = |other: &Pose| {
            Pose { mark: None, motion: "", ..*other } == Pose { mark: None, motion: "", ..*look }
        };
        assert!(!looks[at + 1..].iter().any(is_like), "without its mark {look:?} is like another");
    }
}

#[test]
fn style_sheet_defines_every_motion() {
    let css = include_str!("../../../index.css");
    for scene in all() {
        let motion = look(&scene).motion;
        let is_known = motion == "still" || css.contains(&format!("[data-motion=\"{motion}\"]"));
        assert!(is_known, "{motion}");
    }
}

/// Each mood is another picture, by shape; while something happens no mood shows.
#[test]
fn moods_show_only_while_idle() {
    let of = |mood, state| look(&Scene { mood, ..Scene::of(state) });
    for (at, mood) in Mood::ALL.into_iter().enumerate() {
        for other in &Mood::ALL[at + 1..] {
            assert_ne!(of(mood, State::Idle), of(*other, State::Idle), "{mood:?} and {other:?}");
        }
        for state in State::ALL.into_iter().filter(|it| *it != State::Idle) {
            assert_eq!(of(mood, state), of(Mood::Content, state), "{state:?}");
        }
    }
}

/// The empty bowl shows now and then only: a puppy that waits beside it would beg.
#[test]
fn bowl_shows_only_while_the_puppy_looks_at_it() {
    for scene in all() {
        let is_shown = Picture::of(&scene).shows("bowl");
        assert_eq!(is_shown, scene.motion == Some(Motion::Bowl), "{scene:?}");
    }
}
