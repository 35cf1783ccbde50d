//! Skills: how to go about four kinds of work in notes, for agents that load them by name (B-018).
//!
//! They are the same for everybody and hold nothing of anybody's notes.

use std::fmt;

/// One skill: a folder with one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Writing documents that people like to read.
    Write,
    /// Answers from the notes, each fact with its source.
    Answer,
    /// The finished and the open work of a week.
    Review,
    /// Links that are missing or wrong.
    Links,
}

impl Skill {
    /// Every skill, in order.
    pub const ALL: [Skill; 4] = [Skill::Write, Skill::Answer, Skill::Review, Skill::Links];
    /// The name of its file.
    pub const FILE: &str = "SKILL.md";

    /// The skill at an address.
    pub fn at(uri: &str) -> Option<Skill> {
        Skill::ALL.into_iter().find(|it| it.uri() == uri)
    }

    /// Its name, which is that of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Skill::Write => "write-for-siyuan",
            Skill::Answer => "answer-with-sources",
            Skill::Review => "weekly-review",
            Skill::Links => "tidy-links",
        }
    }

    /// When to take it.
    pub const fn description(self) -> &'static str {
        match self {
            Skill::Write => {
                "Write or change documents in SiYuan notes. Use when asked to note, draft, save or add something there."
            }
            Skill::Answer => {
                "Answer a question from SiYuan notes, each fact with its document. Use when the answer may be in the notes."
            }
            Skill::Review => {
                "Review a week of SiYuan notes, what is done, open and decided. Use when asked for a weekly review or what is left to do."
            }
            Skill::Links => {
                "Find missing and wrong links in SiYuan notes and fix those that the owner agrees to. Use when asked to tidy or link notes."
            }
        }
    }

    const fn steps(self) -> &'static str {
        match self {
            Skill::Write => include_str!("skills/write-for-siyuan.md"),
            Skill::Answer => include_str!("skills/answer-with-sources.md"),
            Skill::Review => include_str!("skills/weekly-review.md"),
            Skill::Links => include_str!("skills/tidy-links.md"),
        }
    }

    /// The address of its file.
    pub fn uri(self) -> String {
        format!("skill://{}/{}", self.name(), Skill::FILE)
    }

    /// The text of its file.
    pub fn text(self) -> String {
        format!("---\nname: {}\ndescription: {}\n---\n\n{}", self.name(), self.description(), self.steps())
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::ACTIONS;
    use crate::spec::Tool;

    /// B-018: a skill names actions that there are, and its head is plain YAML.
    #[test]
    fn skills_name_existing_actions() {
        for skill in Skill::ALL {
            let text = skill.text();
            let quoted = text.split('`').skip(1).step_by(2);
            let actions = quoted.filter(|it| {
                it.split_once('.')
                    .is_some_and(|(tool, name)| Tool::named(tool).is_some() && !name.contains(' '))
            });
            let mut named = 0;
            for path in actions {
                assert!(ACTIONS.iter().any(|spec| spec.path() == path), "{skill}: {path}");
                named += 1;
            }
            assert!(named >= 3, "{skill}");
            assert!(!skill.description().contains(": "), "{skill}");
            assert!(text.len() <= 4_000 && text.ends_with(".\n"), "{skill}");
            assert_eq!(Skill::at(&skill.uri()), Some(skill));
        }
        assert_eq!(Skill::at("skill://weekly-review/../SKILL.md"), None);
    }
}
