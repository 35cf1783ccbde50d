//! `siyuan-puppy errands`: lists and ends the active errands of running servers.

use clap::{Arg, ArgMatches, Command};
use puppy_core::agents::AgentMark;
use puppy_core::ask::words::{Language, deeds};
use puppy_core::channel::{Errand, UsedOf};
use puppy_core::config::Policy;
use puppy_core::error::ToolError;
use puppy_core::kernel::KernelError;
use puppy_core::permission::Scope;
use puppy_core::visible;
use serde_json::{Value, json};

use super::print::CommandOutput;
use crate::channel::ErrandEnd;
use crate::kernel::{HttpKernel, Options};
use crate::words::{ErrandWords, HelpWords, comma, language};

const MINUTE_MS: u64 = 60_000;

pub(super) fn command() -> Command {
    let words = ErrandWords::here();
    let example = HelpWords::here().example("\n  siyuan-puppy errands\n  siyuan-puppy errands stop");
    let id = Arg::new("id").value_name("ID").help(words.id());
    Command::new("errands")
        .about(words.errands())
        .after_help(format!("{}\n\n{}", example.replace(": \n", ":\n"), words.errands_more()))
        .subcommands([Command::new("stop").about(words.stop()).arg(id)])
}

/// Runs the command.
///
/// # Errors
/// Returns a sentence for the user.
pub(super) async fn run(
    options: Options,
    matches: &ArgMatches,
    as_json: bool,
) -> Result<CommandOutput, String> {
    let kernel = HttpKernel::new(options)?;
    let words = ErrandWords::here();
    let failed = |why: KernelError| ToolError::from(why).message;
    let end = ErrandEnd::open(&kernel).await.map_err(failed)?;
    let mut standing = end.as_ref().map(ErrandEnd::standing).unwrap_or_default();
    let Some((_, inner)) = matches.subcommand() else {
        if let Some(end) = end {
            end.leave().await;
        }
        let scope = Policy::read(&kernel).await.scope;
        let all: Vec<Errand> = standing.into_iter().map(|it| it.it).collect();
        return Ok(list(&all, &scope, as_json));
    };
    if let Some(id) = inner.get_one::<String>("id").map(|it| it.trim()) {
        standing.retain(|it| it.it.id == id);
        if standing.is_empty() {
            return Err(words.no_errand(id));
        }
    }
    let n = standing.len();
    let left = match end {
        Some(end) => end.stop(&standing).await.len(),
        None => 0,
    };
    if left > 0 {
        return Err(words.still_stand(left));
    }
    if as_json {
        let ids: Vec<&str> = standing.iter().map(|it| it.it.id.as_str()).collect();
        return Ok(CommandOutput::Json(json!({ "ended": ids })));
    }
    Ok(CommandOutput::Text(match n {
        0 => format!("{}\n", words.none()),
        n => format!("✓ {}\n", words.ended(n)),
    }))
}

/// The errands, each with its place and the part of its bounds that is used.
fn list(all: &[Errand], scope: &Scope, as_json: bool) -> CommandOutput {
    let words = ErrandWords::here();
    if as_json {
        return CommandOutput::Json(json!({ "errands": all }));
    }
    let used = |it: UsedOf| format!("{}/{}", it.used, it.most);
    let rows = all.iter().map(|it| {
        json!({
            "id": it.id, "client": AgentMark::caller(it.agent.as_ref(), &it.client), "purpose": purpose(it, language()), "place": place(it, scope),
            "changes": used(it.changes), "deletes": used(it.deletes),
            "minutes": it.left_ms.div_ceil(MINUTE_MS),
        })
    });
    CommandOutput::Table(rows.collect::<Vec<Value>>(), words.none())
}

/// The agent's own sentence, or the deed that a question named.
fn purpose(errand: &Errand, language: Language) -> String {
    match errand.deed {
        Some((verb, kind)) => deeds(verb, kind, language).to_owned(),
        // The table makes hidden characters visible.
        None => visible::meant(&errand.purpose).into_owned(),
    }
}

/// The names of notebooks that the person may see here, and the ids of documents.
fn place(errand: &Errand, scope: &Scope) -> String {
    let name = |id: &String| {
        let found = scope.visible_notebooks().find(|it| it.id == *id);
        found.map_or_else(|| id.clone(), |it| it.name.clone())
    };
    let notebooks = errand.notebooks.iter().map(name);
    notebooks.chain(errand.documents.iter().cloned()).collect::<Vec<_>>().join(comma())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server has put codes in place of hidden characters; the table does so too, and must not do it twice.
    #[test]
    fn a_purpose_has_each_code_once() {
        let errand = json!({
            "id": "e", "client": "claude-code", "purpose": visible::shown("tidy\u{202e}"), "deed": null,
            "notebooks": [], "documents": [], "changes": { "used": 0, "most": 1 },
            "deletes": { "used": 0, "most": 0 }, "left_ms": 60_000,
        });
        let errand: Errand = serde_json::from_value(errand).unwrap();
        let shown = visible::shown(&purpose(&errand, Language::English)).into_owned();
        assert_eq!(shown, "tidy\u{27e8}U+202E\u{27e9}");
    }
}
