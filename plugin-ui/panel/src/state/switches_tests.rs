//! Tests of the draft of switches.

use super::*;

fn spec(path: &str) -> &'static ActionSpec {
    ACTIONS.iter().copied().find(|spec| spec.path() == path).unwrap()
}

#[test]
fn switching_back_leaves_no_change() {
    let mut draft = SwitchDraft::default();
    draft.set_action(spec("notebook.create"), false);
    assert!(!draft.now().is_on(spec("notebook.create")) && draft.is_changed(Tool::Notebook, Some("create")));
    assert_eq!(draft.in_force().0, SwitchDraft::default().in_force().0, "nothing holds before Apply");
    draft.set_action(spec("notebook.create"), true);
    assert!(draft.is_empty());
    draft.set_tool(Tool::Fs, false);
    draft.discard("discard".to_owned());
    assert!(draft.is_empty() && draft.now().tool_is_on(Tool::Fs));
}

/// B-230, B-235: switches of another window and keys of another version stay.
#[test]
fn switches_of_two_windows_are_merged() {
    let mut mine = SwitchDraft::default();
    mine.set_tool(Tool::Mascot, false);
    mine.set_action(spec("notebook.create"), false);
    let theirs =
        br#"{"fs":{"enabled":false,"actions":{"of_tomorrow":true}},"mascot":{"enabled":true},"new":7}"#;
    let merged = mine.merge(Switches::parse(theirs).unwrap());
    let written: serde_json::Value = serde_json::from_str(&merged.to_json()).unwrap();
    assert_eq!(written["fs"]["enabled"], false);
    assert_eq!(written["fs"]["actions"]["of_tomorrow"], true);
    assert_eq!(written["mascot"]["enabled"], false);
    assert_eq!(written["notebook"]["actions"]["create"], false);
    assert_eq!(written["new"], 7);
}

/// B-232: a tool whose actions are all off is off; switching it on switches actions on.
#[test]
fn switching_a_tool_on_switches_actions_on() {
    let mut draft = SwitchDraft::default();
    for spec in actions_of(Tool::Notebook) {
        draft.set_action(spec, false);
    }
    assert!(!draft.now().tool_is_on(Tool::Notebook));
    draft.set_tool(Tool::Notebook, true);
    assert!(draft.now().tool_is_on(Tool::Notebook) && draft.count(Tool::Notebook).0 > 0);
}

#[test]
fn dangerous_actions_that_become_callable_are_named() {
    let Some(spec) = ACTIONS.iter().copied().find(|spec| spec.danger != Danger::None && spec.default_on)
    else {
        return;
    };
    let mut off = Switches::default();
    off.set_tool(spec.tool, false);
    let mut draft = SwitchDraft::default();
    draft.rebase(off);
    assert!(draft.newly_dangerous().is_empty());
    draft.set_tool(spec.tool, true);
    assert!(draft.newly_dangerous().iter().any(|it| it.path() == spec.path()));
}

#[test]
fn changes_already_in_the_file_are_dropped() {
    let mut draft = SwitchDraft::default();
    draft.set_tool(Tool::Fs, false);
    let mut file = Switches::default();
    file.set_tool(Tool::Fs, false);
    draft.rebase(file);
    assert!(draft.is_empty() && !draft.now().tool_is_on(Tool::Fs));
}

/// Off remembers what was on; from mixed, the first press switches on what is shown.
#[test]
fn the_box_of_a_tool_goes_from_mixed_to_all_to_off_and_back_to_what_was_on() {
    let mut draft = SwitchDraft::default();
    assert_eq!(draft.tri(Tool::Mascot), Tri::On);
    draft.set_action(spec("mascot.buy"), false);
    assert_eq!(draft.tri(Tool::Mascot), Tri::Mixed);
    draft.set_tool(Tool::Mascot, false);
    assert_eq!(draft.tri(Tool::Mascot), Tri::Off);
    draft.press(Tool::Mascot, |_| true);
    assert_eq!(
        (draft.tri(Tool::Mascot), draft.count(Tool::Mascot).0),
        (Tri::Mixed, 2),
        "what was on is on again"
    );
    draft.press(Tool::Mascot, |it| it.name != "buy");
    assert_eq!(draft.tri(Tool::Mascot), Tri::Off, "all shown ones were on");
    draft.press(Tool::Mascot, |_| true);
    draft.press(Tool::Mascot, |_| true);
    assert_eq!(draft.tri(Tool::Mascot), Tri::On);
    draft.press(Tool::Mascot, |_| true);
    assert_eq!(draft.tri(Tool::Mascot), Tri::Off);
}

#[test]
fn switched_gestures_are_taken_back_and_changes_told() {
    let mut draft = SwitchDraft::default();
    draft.gesture("tool off".to_owned(), |it| it.press(Tool::Tag, |_| true));
    draft.gesture("on".to_owned(), |it| it.set_action(spec("notebook.remove"), true));
    let listed: Vec<_> = draft.changes().iter().map(|it| (it.name(), it.is_on)).collect();
    assert_eq!(listed, [("notebook.remove".to_owned(), true), ("tag".to_owned(), false)]);
    draft.back();
    draft.back();
    assert!(draft.is_empty() && draft.now().tool_is_on(Tool::Tag));
    draft.forward();
    assert_eq!((draft.steps().behind(), draft.steps().ahead()), (Some("tool off"), Some("on")));
    draft.undo(&draft.changes()[0]);
    assert!(draft.is_empty());
}

#[test]
fn presets_fill_the_draft_and_are_recognised() {
    let mut draft = SwitchDraft::default();
    assert_eq!(draft.preset(), None);
    for preset in Preset::ALL {
        draft.fill("preset".to_owned(), preset, false);
        assert_eq!(draft.preset(), Some(preset));
    }
    draft.back();
    assert!(draft.is_empty(), "each took the place of the one before");
    draft.gesture("by hand".to_owned(), |it| it.set_action(spec("fs.write"), false));
    draft.fill("preset".to_owned(), Preset::Everything, false);
    assert!(!draft.now().is_on(spec("fs.write")) && draft.now().is_on(spec("notebook.remove")));
    draft.fill("preset".to_owned(), Preset::Everything, true);
    assert_eq!(draft.preset(), Some(Preset::Everything));
    draft.gesture("reset".to_owned(), |it| it.reset(ACTIONS.iter().copied()));
    assert!(draft.is_empty(), "the defaults were in force");
}

/// B-238: switches that are taken over are a draft, each as it is there: no other action goes on with its tool.
#[test]
fn switches_that_are_taken_over_are_those_of_the_other_file() {
    let older = |text: &str| Switches::default().with_older(text.as_bytes()).unwrap();
    let mut draft = SwitchDraft::default();
    let wanted =
        older(r#"{"fs":{"enabled":false,"actions":{"read":false}},"tag":{"actions":{"list":false}}}"#);
    assert_eq!(draft.take(&wanted), 3);
    assert_eq!((draft.now(), draft.len()), (&wanted, 3));
    draft.set_tool(Tool::Notebook, false);
    let all =
        actions_of(Tool::Notebook).map(|it| format!(r#""{}":false"#, it.name)).collect::<Vec<_>>().join(",");
    let wanted = older(&format!(r#"{{"notebook":{{"enabled":true,"actions":{{{all}}}}}}}"#));
    draft.gesture("import".to_owned(), |it| {
        it.take(&wanted);
    });
    assert!(draft.has(&wanted) && draft.count(Tool::Notebook).0 == 0);
    assert!(!draft.now().tool_is_on(Tool::Notebook), "its actions are all off there");
    assert_eq!(draft.take(&wanted), 0);
    draft.back();
    assert!(!draft.now().tool_switch(Tool::Notebook) && draft.count(Tool::Notebook).0 > 0, "one step");
    draft.take(&Switches::default());
    assert!(draft.is_empty());
}
