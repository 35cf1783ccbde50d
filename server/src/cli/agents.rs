//! `siyuan-puppy agents`: the agents that a person has named, their ceilings, and their tokens on this machine.

use std::collections::BTreeSet;
use std::io::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use puppy_core::agents::{
    AGENTS_FILE, AgentChange, AgentColor, AgentRefusal, Agents, AgentsFile, Identity, LONGEST_NAME,
    MOST_AGENTS, NamedAgent, day_of,
};
use puppy_core::clients::{Client, TokenUse};
use puppy_core::config::{HttpSettings, Policy};
use puppy_core::id::is_node_id;
use puppy_core::kernel::Ambient as _;
use puppy_core::permission::{Ceiling, Level, Scope};
use serde_json::{Value, json};

use super::print::CommandOutput;
use crate::agent_tokens::AgentTokens;
use crate::channel::announce;
use crate::kernel::{HttpKernel, Options};
use crate::words::{AgentWords, HelpWords, comma, language};

/// The word for no last day.
const NEVER: &str = "never";

pub(super) fn command() -> Command {
    let words = AgentWords::here();
    let name = || Arg::new("name").value_name("NAME").required(true).help(words.name());
    let until = Arg::new("until").long("until").value_name("DAY").help(words.until());
    let color = Arg::new("color")
        .long("agent-color")
        .value_name("COLOR")
        .value_parser(PossibleValuesParser::new(AgentColor::ALL.map(AgentColor::word)))
        .help(words.color());
    let client = Arg::new("for")
        .long("for")
        .value_name("CLIENT")
        .value_parser(PossibleValuesParser::new(Client::of_agents().map(Client::id)))
        .help(words.client());
    let example = HelpWords::here().example(
        "\n  siyuan-puppy agents set \"Claude Code\" --level rw --notebook Garden\n  \
         siyuan-puppy agents token \"Claude Code\" --for claude-code",
    );
    Command::new("agents")
        .about(words.agents())
        .after_help(format!("{}\n\n{}", example.replace(": \n", ":\n"), words.agents_more()))
        .subcommands([
            Command::new("set").about(words.set()).arg(name()).args(ceiling()).args([until, color]),
            Command::new("anyone").about(words.anyone()).args(ceiling()),
            Command::new("token").about(words.token()).after_help(words.token_more()).args([name(), client]),
            Command::new("revoke").about(words.revoke()).arg(name()),
            Command::new("remove").about(words.remove()).arg(name()),
        ])
}

fn ceiling() -> [Arg; 3] {
    let words = AgentWords::here();
    [
        Arg::new("level")
            .long("level")
            .value_name("LEVEL")
            .value_parser(PossibleValuesParser::new(Level::ALL.map(Level::word)))
            .help(words.level()),
        Arg::new("notebook")
            .long("notebook")
            .value_name("NOTEBOOK")
            .action(ArgAction::Append)
            .help(words.notebook()),
        Arg::new("all-notebooks")
            .long("all-notebooks")
            .action(ArgAction::SetTrue)
            .conflicts_with("notebook")
            .help(words.all_notebooks()),
    ]
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
    let failed = |why| puppy_core::error::ToolError::from(&why).message;
    let mut file = AgentsFile::read(&kernel).await.map_err(failed)?;
    let scope = Policy::read(&kernel).await.scope;
    let place = AgentTokens::place().ok_or_else(|| AgentWords::here().no_folder().to_owned())?;
    let unreadable = |error: std::io::Error| AgentWords::here().tokens_unreadable(error.kind());
    let mut tokens = AgentTokens::read(&place).map_err(unreadable)?;
    let words = AgentWords::here();
    let Some((name, inner)) = matches.subcommand() else {
        let today = day_of(&kernel.local_digits());
        return Ok(list(&file.agents(), &scope, &tokens, &today, as_json));
    };
    let said = match name {
        "set" => {
            let change = set(&file.agents(), &scope, inner, AgentsFile::new_id(kernel.random()))?;
            file.change(change).map_err(refusal)?;
            words.saved(typed_name(inner))
        }
        "anyone" => {
            let ceiling = changed(&file.agents().anyone, &scope, inner)?;
            file.change(AgentChange::Anyone(ceiling)).map_err(refusal)?;
            words.saved(words.everyone_else())
        }
        _ => {
            let agents = file.agents();
            let agent = known(&agents, typed_name(inner))?;
            match name {
                "token" => {
                    tokens.keep(&agents);
                    let url = HttpSettings::read(&kernel).await.map_err(failed)?.url();
                    let token = tokens.issue(&agent.id).map_err(unreadable)?;
                    tokens.write(&place).map_err(unreadable)?;
                    let client = inner.get_one::<String>("for");
                    let client = client.and_then(|id| Client::of_agents().find(|it| it.id() == id));
                    let (output, note) = issued(&agent.name, client, &url, &token, as_json);
                    let _ = writeln!(std::io::stderr(), "{note}");
                    return Ok(output);
                }
                "revoke" => {
                    let had = tokens.revoke(&agent.id);
                    tokens.write(&place).map_err(unreadable)?;
                    if had { words.revoked(&agent.name) } else { words.had_no_token(&agent.name) }
                }
                _ => {
                    file.change(AgentChange::Remove(agent.id.clone())).map_err(refusal)?;
                    tokens.revoke(&agent.id);
                    tokens.write(&place).map_err(unreadable)?;
                    words.removed(&agent.name)
                }
            }
        }
    };
    if name != "revoke" {
        file.write(&kernel).await.map_err(failed)?;
        announce(&kernel, &[AGENTS_FILE]).await;
    }
    if as_json {
        let today = day_of(&kernel.local_digits());
        return Ok(list(&file.agents(), &scope, &tokens, &today, true));
    }
    Ok(CommandOutput::Text(format!("✓ {said}\n")))
}

/// A new token, which is shown this once: alone, or in the snippet for a client. Also the note about it.
fn issued(
    agent: &str,
    client: Option<Client>,
    url: &str,
    token: &str,
    as_json: bool,
) -> (CommandOutput, String) {
    let words = AgentWords::here();
    let Some((client, snippet)) = client.and_then(|it| Some((it, it.snippet_of_agent(url, token)?))) else {
        let output = if as_json {
            CommandOutput::Json(json!({ "token": token }))
        } else {
            CommandOutput::Text(format!("{token}\n"))
        };
        return (output, words.send_it(agent));
    };
    if as_json {
        let beside = (snippet.token != TokenUse::InSnippet).then_some(token);
        let variable = (snippet.token == TokenUse::Variable).then_some(Client::TOKEN_VARIABLE);
        let data =
            json!({ "client": client.id(), "snippet": snippet.text, "token": beside, "variable": variable });
        return (CommandOutput::Json(data), words.in_snippet(agent));
    }
    let (more, note) = match snippet.token {
        TokenUse::InSnippet => (String::new(), words.in_snippet(agent)),
        TokenUse::Variable => (
            format!("\n{}={token}\n", Client::TOKEN_VARIABLE),
            words.in_variable(agent, Client::TOKEN_VARIABLE),
        ),
        TokenUse::Asked => (format!("\n{token}\n"), words.when_asked(agent)),
    };
    (CommandOutput::Text(format!("{}\n{more}", snippet.text)), note)
}

fn typed_name(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("name").map_or("", |it| it.trim())
}

fn known<'a>(agents: &'a Agents, name: &str) -> Result<&'a NamedAgent, String> {
    agents.of(&Identity::Claimed(name.to_owned())).ok_or_else(|| AgentWords::here().no_agent(name))
}

/// The change that was typed: what was not named stays as it is.
fn set(agents: &Agents, scope: &Scope, matches: &ArgMatches, new_id: String) -> Result<AgentChange, String> {
    let name = typed_name(matches).to_owned();
    let before = agents.of(&Identity::Claimed(name.clone()));
    let ceiling = changed(&before.map(|it| it.ceiling.clone()).unwrap_or_default(), scope, matches)?;
    let typed = matches.get_one::<String>("until").map(|it| it.trim());
    let until = match typed.or(before.and_then(|it| it.until.day())) {
        None | Some(NEVER) => String::new(),
        Some(day) => day.to_owned(),
    };
    let color = matches.get_one::<String>("color").and_then(|it| AgentColor::named(it));
    let color = color.or(before.map(|it| it.color)).unwrap_or_else(|| agents.next_color());
    let id = before.map_or(new_id, |it| it.id.clone());
    Ok(AgentChange::Set { id, name, color, ceiling, until })
}

fn changed(before: &Ceiling, scope: &Scope, matches: &ArgMatches) -> Result<Ceiling, String> {
    let level = matches.get_one::<String>("level").map_or(before.level, |it| Level::from_word(it));
    let named: Vec<&String> = matches.get_many("notebook").into_iter().flatten().collect();
    let notebooks = match (matches.get_flag("all-notebooks"), named.is_empty()) {
        (true, _) => None,
        (false, true) => before.notebooks.clone(),
        (false, false) => Some(named.into_iter().map(|it| notebook(scope, it)).collect::<Result<_, _>>()?),
    };
    Ok(Ceiling { level, notebooks })
}

/// The id of a notebook that was typed by name or id. One that agents may not see is known by its id only.
fn notebook(scope: &Scope, typed: &str) -> Result<String, String> {
    let typed = typed.trim();
    if is_node_id(typed) {
        return Ok(typed.to_owned());
    }
    let found: BTreeSet<&str> =
        scope.visible_notebooks().filter(|it| it.name == typed).map(|it| it.id.as_str()).collect();
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.to_owned()),
        (Some(_), Some(_)) => Err(AgentWords::here().two_notebooks(typed)),
        (None, _) => Err(AgentWords::here().no_notebook(typed)),
    }
}

fn refusal(why: AgentRefusal) -> String {
    let words = AgentWords::here();
    match why {
        AgentRefusal::NoName => words.no_name().to_owned(),
        AgentRefusal::LongName => words.long_name(LONGEST_NAME),
        AgentRefusal::SameName => words.same_name().to_owned(),
        AgentRefusal::NoDay => words.no_day().to_owned(),
        AgentRefusal::TooMany => words.too_many(MOST_AGENTS),
    }
}

/// The agents, each with its ceiling, and everybody else.
fn list(agents: &Agents, scope: &Scope, tokens: &AgentTokens, today: &str, as_json: bool) -> CommandOutput {
    let words = AgentWords::here();
    let title = |id: &String| {
        let name = scope.visible_notebooks().find(|it| it.id == *id).map(|it| it.name.clone());
        name.unwrap_or_else(|| id.clone())
    };
    if as_json {
        let ceiling = |it: &Ceiling| json!({ "level": it.level, "notebooks": it.notebooks });
        let agent = |it: &NamedAgent| {
            json!({
                "id": it.id, "name": it.name, "color": it.color.word(), "level": it.ceiling.level,
                "notebooks": it.ceiling.notebooks, "until": it.until.day(), "ended": it.until.is_over(today),
                "token": tokens.has(&it.id),
            })
        };
        let all: Vec<Value> = agents.named().map(agent).collect();
        return CommandOutput::Json(json!({ "agents": all, "anyone": ceiling(&agents.anyone) }));
    }
    if agents.named().next().is_none() && agents.anyone == Ceiling::OPEN {
        return CommandOutput::Text(format!("{}\n", words.none()));
    }
    let row = |name: &str, ceiling: &Ceiling, until: &str, token: &str| {
        let notebooks = match &ceiling.notebooks {
            None => words.all().to_owned(),
            Some(ids) => ids.iter().map(title).collect::<Vec<_>>().join(comma()),
        };
        json!({ "name": name, "level": language().level_of(ceiling.level.word()), "notebooks": notebooks, "until": until, "token": token })
    };
    let agent = |it: &NamedAgent| {
        let until = if it.until.is_over(today) { words.over() } else { it.until.day().unwrap_or_default() };
        let token = if tokens.has(&it.id) { words.token_here() } else { words.no_token() };
        row(&it.name, &it.ceiling, until, token)
    };
    let mut rows: Vec<Value> = agents.named().map(agent).collect();
    rows.push(row(words.everyone_else(), &agents.anyone, "", ""));
    CommandOutput::Table(rows, words.none())
}
