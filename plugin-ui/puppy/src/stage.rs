//! The puppy as a picture in the panel: it shows the scenes it is sent and has no life of its own.

use super::view::View;
use puppy_ui_web::host::{Element, Host, Mounted};
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::scene::{Scene, State};
use puppy_ui_web::state::settings::Settings;
use puppy_ui_web::state::stage::scene;
use puppy_ui_web::words::PuppyWords;

/// Mounts a picture of the puppy in an element, until the handle is unmounted.
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    let words = PuppyWords::of(&host.lang());
    let Some(view) = View::new(parent, words) else { return Mounted::new(|| ()) };
    view.node.set("role", "img");
    view.node.unset("tabindex");
    view.show(&Scene::of(State::Idle), "");
    let node = view.node.clone();
    let hear = move |text: &str| match Message::parse(text) {
        Some(Message::Settings(lines)) => {
            let settings = Settings::of_lines(lines);
            view.dress(&settings);
            view.node.size_to(settings.size.pixels());
        }
        Some(Message::Play(name)) => {
            if let Some(scene) = scene(name) {
                // A repeated scene starts over.
                view.show(&Scene::of(State::Idle), "");
                view.node.size();
                view.node.unset("aria-label");
                view.show(&scene, words.says(&scene));
            }
        }
        _ => {}
    };
    Mounted::new(move || node.remove()).hearing(hear)
}
