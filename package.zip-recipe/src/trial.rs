//! `cargo recipe try`: starts the sidecars of a release, each on this machine itself or under an emulator, where one is here.

use crate::cross;
use crate::demo;
use crate::house::House;
use crate::platform::Platform;
use crate::process::{Guard, capture, go_on, lines_of};
use crate::sidecar::{self, DemoKernel};
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The emulators for the programs of other platforms; the first that starts is used.
const EMULATORS: [(&str, &[&str]); 2] =
    [("linux-arm64", &["qemu-aarch64", "qemu-aarch64-static"]), ("win32-x64", &["wine64", "wine"])];
/// The longest that an answer may take: Wine first makes itself a folder.
const ANSWER: Duration = Duration::from_secs(180);
const POLL: Duration = Duration::from_millis(20);
/// The folder of everything that a trial leaves, below `build/`.
const FOLDER: &str = "trial";

/// Reads the arguments of `cargo recipe try`: the platforms whose programs must be tried.
pub(crate) fn parse(arguments: &[String]) -> Result<Vec<Platform>> {
    let names = match arguments {
        [] => return Ok(Vec::new()),
        [flag, names] if flag == "--need" => names,
        _ => bail!("`cargo recipe try` takes --need PLATFORM,... or nothing"),
    };
    let named = |name: &str| {
        let found = Platform::ALL.into_iter().find(|it| it.node == name);
        found.with_context(|| {
            format!("there is no platform `{name}`, but {}", Platform::ALL.map(|it| it.node).join(", "))
        })
    };
    names.split(',').map(named).collect()
}

/// Tries all programs that `cargo recipe release` built, and says which could not be tried.
pub(crate) fn run(house: &House, needed: &[Platform]) -> Result<()> {
    have(house, needed)?;
    let programs = cross::built(house)?;
    sidecar::build_debug(house, &["demo-kernel"])?;
    let workspace = house.fresh(&format!("{FOLDER}/workspace"))?;
    let kernel = DemoKernel::with_fixture(house, &workspace, demo::SEEN)?;
    let mut untried = Vec::new();
    let mut tools = None;
    for (platform, program) in &programs {
        let Some(launcher) = launcher(house, *platform)? else {
            untried.push(platform.node);
            continue;
        };
        let listed = talked(|| launched(house, launcher, program), kernel.url())
            .with_context(|| format!("the program for {}", platform.node))?;
        let count = listed.as_array().map_or(0, Vec::len);
        if tools.get_or_insert_with(|| listed.clone()) != &listed {
            bail!("the program for {} lists other tools than the one before", platform.node);
        }
        println!(
            "{}: its version, {count} tools and a call, by {}",
            platform.node,
            launcher.unwrap_or("itself")
        );
    }
    if !untried.is_empty() {
        println!("not tried, for nothing here runs them: {}", untried.join(", "));
    }
    Ok(())
}

/// Fails where nothing here runs the programs of one of these platforms.
fn have(house: &House, needed: &[Platform]) -> Result<()> {
    for platform in needed {
        if launcher(house, *platform)?.is_none() {
            bail!("nothing here runs the program for {}; it takes {:?}", platform.node, emulators(*platform));
        }
    }
    Ok(())
}

/// The launcher of a platform's programs: `Some(None)` if this machine runs them itself, `None` if nothing here does.
fn launcher(house: &House, platform: Platform) -> Result<Option<Option<&'static str>>> {
    if platform == Platform::here()? {
        return Ok(Some(None));
    }
    let starts = |name: &&&str| {
        let mut command = house.command(name);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    Ok(emulators(platform).iter().find(starts).map(|name| Some(*name)))
}

/// The commands that may start a platform's programs on another machine.
fn emulators(platform: Platform) -> &'static [&'static str] {
    EMULATORS.iter().find(|(node, _)| *node == platform.node).map_or(&[][..], |(_, names)| names)
}

fn launched(house: &House, launcher: Option<&str>, program: &Path) -> Command {
    let Some(launcher) = launcher else { return house.command(program) };
    let mut command = house.command(launcher);
    // Wine keeps its folder out of the home of whoever runs this, and to itself what it lacks.
    command.arg(program).env("WINEPREFIX", house.build(FOLDER).join("wine")).env("WINEDEBUG", "-all");
    command
}

/// As [`tried`], on a kernel that asks for no token.
pub(crate) fn talked(start: impl Fn() -> Command, kernel: &str) -> Result<Value> {
    tried(|| {
        let mut command = start();
        command.env("SIYUAN_API_URL", kernel).env_remove("SIYUAN_TOKEN");
        command
    })
}

/// Asks a program for its version, its tools and the notebooks of the demo; returns the tools.
fn tried(start: impl Fn() -> Command) -> Result<Value> {
    let said = capture(start().arg("--version"))?;
    if !said.trim().ends_with(env!("CARGO_PKG_VERSION")) {
        bail!("it says that it is `{}`", said.trim());
    }
    let mut talk = Talk::begin(start().arg("stdio"))?;
    let client = json!({ "name": "trial", "version": env!("CARGO_PKG_VERSION") });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    talk.ask("initialize", &hello)?;
    talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let tools = talk.ask("tools/list", &json!({}))?.get("tools").cloned().context("it lists no tools")?;
    let call = json!({ "name": "notebook", "arguments": { "action": "list" } });
    let answer = talk.ask("tools/call", &call)?;
    let failed = answer.get("isError").is_some_and(|it| *it == true);
    if failed || !answer.get("content").is_some_and(|it| it.to_string().contains("Garden")) {
        bail!("it lists no notebooks of the demo: {answer}");
    }
    Ok(tools)
}

/// A conversation over standard input and output; the program ends with it.
struct Talk {
    stdin: ChildStdin,
    lines: Receiver<String>,
    asked: u64,
    _program: Guard,
}

impl Talk {
    fn begin(command: &mut Command) -> Result<Self> {
        let mut program =
            Guard::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let child = program.child();
        let stdin = child.stdin.take().context("the program has no standard input")?;
        let lines = lines_of(child.stdout.take());
        Ok(Self { stdin, lines, asked: 0, _program: program })
    }

    fn say(&mut self, message: &Value) -> Result<()> {
        writeln!(self.stdin, "{message}").context("it does not listen")
    }

    /// Sends a request and waits for its result; what the program says unasked is left out.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let deadline = Instant::now() + ANSWER;
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => {
                    if let Some(result) = result_of(&line, id)? {
                        return Ok(result);
                    }
                }
                Err(RecvTimeoutError::Timeout) => go_on(Some(deadline)).with_context(|| method.to_owned())?,
                Err(RecvTimeoutError::Disconnected) => bail!("it ended instead of answering {method}"),
            }
        }
    }
}

/// The result in a line, if it answers this request.
fn result_of(line: &str, id: u64) -> Result<Option<Value>> {
    let message: Value =
        serde_json::from_str(line).with_context(|| format!("it says what is no message: {line}"))?;
    if message.get("id").is_none_or(|it| *it != id) {
        return Ok(None);
    }
    match message.get("result") {
        Some(result) => Ok(Some(result.clone())),
        None => bail!("it answers with an error: {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emulators_are_for_platforms_of_the_package_that_this_one_is_not() {
        let house = House::find().unwrap();
        for (node, _) in EMULATORS {
            assert!(Platform::ALL.iter().any(|it| it.node == node), "{node}");
        }
        for platform in Platform::ALL {
            let launcher = launcher(&house, platform).unwrap();
            assert_eq!(launcher == Some(None), platform == Platform::here().unwrap(), "{platform:?}");
            assert!(!(platform.is_apple() && matches!(launcher, Some(Some(_)))), "nothing emulates a Mac");
        }
    }

    /// A release whose Windows program nobody started must not pass for one that was tried.
    #[test]
    fn a_platform_that_is_needed_is_not_left_out() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(parse(&[]).unwrap().is_empty());
        let needed = parse(&words("--need linux-arm64,win32-x64")).unwrap();
        assert_eq!(needed.iter().map(|it| it.node).collect::<Vec<_>>(), ["linux-arm64", "win32-x64"]);
        for wrong in ["--need", "--need beos", "--need linux-x64,", "linux-x64", "--need linux-x64 more"] {
            assert!(parse(&words(wrong)).is_err(), "{wrong}");
        }
        let mac =
            Platform::ALL.into_iter().find(|it| it.is_apple() && Platform::here().unwrap() != *it).unwrap();
        let house = House::find().unwrap();
        let said = have(&house, &[mac]).unwrap_err().to_string();
        assert!(said.contains(mac.node), "{said}");
        assert!(have(&house, &[Platform::here().unwrap()]).is_ok());
    }

    #[test]
    fn an_answer_is_told_from_news_and_from_an_error() {
        assert_eq!(result_of(r#"{"method":"notifications/message"}"#, 1).unwrap(), None);
        assert_eq!(result_of(r#"{"id":1,"result":{"tools":[]}}"#, 1).unwrap(), Some(json!({ "tools": [] })));
        let error = result_of(r#"{"id":1,"error":{"message":"no"}}"#, 1).unwrap_err().to_string();
        assert!(error.contains("no"), "{error}");
        assert!(result_of("listening", 1).is_err());
    }

    /// A program that only repeats what it hears answers nothing.
    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_or_repeats_is_no_server() {
        assert!(tried(|| Command::new("true")).is_err());
        let mut talk = Talk::begin(&mut Command::new("cat")).unwrap();
        assert!(talk.ask("tools/list", &json!({})).unwrap_err().to_string().contains("error"));
    }
}
