//! The file of Chinese texts, written from the declarations when the plugin is assembled. No module contains it.

use super::{
    ACTIONS, PanelWords, activity, advanced, agents, channel, connection, copying, help, home, own_agent,
    permissions, playground, puppy_page, report, runs, search, servers, tools, translations, tries,
};

/// The texts of a declaration: the name of each, English, Chinese.
pub(super) type Texts = &'static [(&'static str, &'static str, &'static str)];

/// Every declaration of the panel's texts.
pub(super) const PARTS: &[(&str, Texts)] = &[
    ("PanelWords", PanelWords::ALL),
    ("HomeWords", home::HomeWords::ALL),
    ("ChannelWords", channel::ChannelWords::ALL),
    ("ConnectionWords", connection::ConnectionWords::ALL),
    ("PuppyPageWords", puppy_page::PuppyPageWords::ALL),
    ("PermissionWords", permissions::PermissionWords::ALL),
    ("ToolWords", tools::ToolWords::ALL),
    ("ActivityWords", activity::ActivityWords::ALL),
    ("AdvancedWords", advanced::AdvancedWords::ALL),
    ("ReportWords", report::ReportWords::ALL),
    ("SearchWords", search::SearchWords::ALL),
    ("HelpWords", help::HelpWords::ALL),
    ("CopyWords", copying::CopyWords::ALL),
    ("PlanWords", playground::PlanWords::ALL),
    ("PlaygroundWords", playground::PlaygroundWords::ALL),
    ("ServerWords", servers::ServerWords::ALL),
    ("AgentWords", agents::AgentWords::ALL),
    ("RunsWords", runs::RunsWords::ALL),
    ("TryWords", tries::TryWords::ALL),
    ("OwnAgentWords", own_agent::OwnAgentWords::ALL),
];

/// The content of `panel.zh.txt`.
pub fn panel_zh() -> String {
    let texts = PARTS.iter().map(|(name, texts)| {
        let lines = texts.iter().map(|(_, _, zh)| *zh);
        [*name].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
    });
    let actions = [ACTIONS.to_owned()].into_iter().chain(translations::lines());
    let actions = actions.collect::<Vec<_>>().join("\n");
    texts.chain([actions]).collect::<Vec<_>>().join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A declaration that is not listed would be English for everybody.
    #[test]
    fn every_declaration_of_texts_is_written() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/words");
        let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let mut found = BTreeSet::new();
        for path in files.filter(|it| it.is_file()).chain([format!("{folder}.rs").into()]) {
            let text = std::fs::read_to_string(path).unwrap();
            for part in text.split("\ntexts! {\n").skip(1) {
                let name = part.lines().map(str::trim).find(|it| !it.starts_with("///")).unwrap();
                found.insert(name.trim_end_matches(':').to_owned());
            }
        }
        let listed: BTreeSet<_> = PARTS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(listed, found);
    }

    /// Lines are counted, and an empty one ends a section.
    #[test]
    fn each_text_is_one_line() {
        for (name, _, zh) in PARTS.iter().flat_map(|(_, texts)| *texts) {
            assert!(!zh.is_empty() && !zh.contains(char::is_control), "{name}");
        }
    }
}
