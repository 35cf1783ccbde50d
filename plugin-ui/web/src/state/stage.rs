//! Test mode: every scene by name, without a server.

use puppy_core::activity::shop::ShopItem;
use puppy_core::activity::stats::Mood;
use puppy_core::spec::Tool;

use super::act::Act;
use super::motion::Motion;
use super::scene::{Scene, State};

/// The calls of the shown burst.
const BURST: usize = 12;

/// A group of scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneGroup {
    /// States, each with its mark.
    State,
    /// Tools, each with its prop.
    Tool,
    /// Moods.
    Mood,
    /// Motions that it makes by itself.
    Idle,
    /// Gifts.
    Item,
}

impl SceneGroup {
    /// Every group.
    pub const ALL: [SceneGroup; 5] =
        [SceneGroup::State, SceneGroup::Tool, SceneGroup::Mood, SceneGroup::Idle, SceneGroup::Item];

    /// The word in messages.
    pub const fn word(self) -> &'static str {
        match self {
            SceneGroup::State => "state",
            SceneGroup::Tool => "tool",
            SceneGroup::Mood => "mood",
            SceneGroup::Idle => "idle",
            SceneGroup::Item => "item",
        }
    }

    /// Names of its scenes.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            SceneGroup::State => State::ALL.into_iter().rev().map(State::word).chain(["burst"]).collect(),
            SceneGroup::Tool => Tool::ALL.into_iter().map(Tool::name).collect(),
            SceneGroup::Mood => Mood::ALL.into_iter().map(Mood::word).collect(),
            SceneGroup::Idle => Motion::ALL.into_iter().map(Motion::word).collect(),
            SceneGroup::Item => ShopItem::ALL.into_iter().map(ShopItem::word).collect(),
        }
    }
}

/// The scene of a message such as `tool search`.
pub fn scene(message: &str) -> Option<Scene> {
    let (group, name) = message.split_once(' ')?;
    let acting = Scene { tool: Some(Tool::Document), ..Scene::of(State::Acting(Act::Reading)) };
    let scene = match SceneGroup::ALL.into_iter().find(|it| it.word() == group)? {
        SceneGroup::State if name == "burst" => Scene { burst: BURST, ..acting },
        SceneGroup::State => {
            let state = State::ALL.into_iter().find(|it| it.word() == name)?;
            let item = match state {
                State::Eating => Some(ShopItem::Bone),
                State::Playing => Some(ShopItem::Ball),
                _ => None,
            };
            let hearts = matches!(state, State::Petting | State::Success);
            let tool = matches!(state, State::Acting(_)).then_some(Tool::Document);
            Scene { tool, item, hearts, ..Scene::of(state) }
        }
        SceneGroup::Tool => Scene { tool: Some(Tool::named(name)?), ..acting },
        SceneGroup::Mood => {
            let mood = Mood::ALL.into_iter().find(|it| it.word() == name)?;
            let motion = (mood == Mood::Hungry).then_some(Motion::Bowl);
            Scene { mood, motion, ..Scene::of(State::Idle) }
        }
        SceneGroup::Idle => {
            let motion = Motion::ALL.into_iter().find(|it| it.word() == name)?;
            Scene { motion: Some(motion), ..Scene::of(State::Idle) }
        }
        SceneGroup::Item => {
            let item = ShopItem::named(name)?;
            Scene {
                item: Some(item),
                wears: item == ShopItem::Bow,
                hearts: true,
                ..Scene::of(State::with(item))
            }
        }
    };
    Some(Scene { says: Some(scene.state).filter(|it| it.is_said_for() > 0), ..scene })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-300.
    #[test]
    fn every_scene_name_has_its_own_scene() {
        let mut scenes = Vec::new();
        for group in SceneGroup::ALL {
            for name in group.names() {
                let scene = scene(&format!("{} {name}", group.word()));
                assert!(scene.is_some(), "{group:?} {name}");
                scenes.extend(scene);
            }
        }
        assert_eq!(scenes.len(), 17 + 11 + 4 + 13 + 9);
        for text in ["", "state", "state flying", "tool shell", "mood x"] {
            assert_eq!(scene(text), None, "{text}");
        }
    }
}
