//! The budgets of the whole system, measured on the release sidecar and printed as one table.

use crate::demo;
use crate::house::House;
use crate::outcome::Outcome;
use crate::process::{Guard, tee};
use crate::sidecar::{self, DemoKernel};
use crate::test_programs;
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Bytes of the answer to `tools/list`, and of the instructions in the answer to `initialize`.
const TOOLS_LIST: usize = 13_500;
const INSTRUCTIONS: usize = 2_000;
/// Bytes of the stripped sidecar with all actions, the ledger of runs, agents and errands.
const SIDECAR: u64 = 13_200_000;
/// The number of process starts for the median.
const SPAWNS: usize = 10;
/// The package and the test file of the contract test.
const CONTRACT: (&str, &str) = ("puppy-server", "it");
/// The contract test's prefix of table lines.
const REQUESTS: &str = "requests: ";
/// A port without a listener: the measurement must not touch a SiYuan that happens to run.
const NO_KERNEL: &str = "http://127.0.0.1:9";

/// Measures, prints, and fails when a size or a count is exceeded; times depend on the machine and never fail.
pub(crate) fn check(house: &House) -> Result<Outcome> {
    let mut over = Vec::new();
    let puppy = sidecar::shipped(house)?;
    let mut row = |what: &str, value: u64, most: u64| {
        let word = if value > most { "OVER" } else { "ok" };
        println!("{what:44} {value:>10} of {most:>10}  {word}");
        if value > most {
            over.push(what.to_owned());
        }
    };
    row(
        "sidecar, stripped: bytes",
        std::fs::metadata(&puppy).context("the sidecar cannot be read")?.len(),
        SIDECAR,
    );
    let lists = Conversation::start(house, &puppy)?.lists()?;
    row("tools/list: bytes", lists.tools as u64, TOOLS_LIST as u64);
    row("server instructions: bytes", lists.instructions as u64, INSTRUCTIONS as u64);
    start_times(house, &puppy)?;
    command_time(house, &puppy)?;
    requests(house)?;
    if !over.is_empty() {
        bail!("over budget: {}", over.join("; "));
    }
    Ok(Outcome::Passed(format!("tools/list {} bytes, instructions {}", lists.tools, lists.instructions)))
}

/// One run of the sidecar over stdio.
struct Conversation {
    guard: Guard,
    lines: mpsc::Receiver<String>,
}

struct Lists {
    tools: usize,
    instructions: usize,
}

impl Conversation {
    fn start(house: &House, program: &Path) -> Result<Self> {
        let mut command = house.command(program);
        command.arg("stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env("SIYUAN_API_URL", NO_KERNEL).env_remove("SIYUAN_TOKEN");
        let mut guard = Guard::start(&mut command)?;
        let output = guard.child().stdout.take().context("the sidecar has no output")?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { guard, lines })
    }

    /// Sends a message; returns the result of the answer if it has an id.
    fn say(&mut self, message: &Value) -> Result<Value> {
        let input = self.guard.child().stdin.as_mut().context("the sidecar has no input")?;
        writeln!(input, "{message}").and_then(|()| input.flush()).context("the sidecar does not listen")?;
        while message.get("id").is_some() {
            let line = self
                .lines
                .recv_timeout(Duration::from_secs(30))
                .context("the sidecar gave no answer to a request on stdio")?;
            let mut answer: Value =
                serde_json::from_str(&line).context("the sidecar wrote something that is no JSON")?;
            if answer.get("id") == message.get("id") {
                return Ok(answer.get_mut("result").map(Value::take).unwrap_or_default());
            }
        }
        Ok(Value::Null)
    }

    fn initialize(&mut self) -> Result<Value> {
        let result = self.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "budget", "version": "1" },
        }}))?;
        if result.get("serverInfo").is_none() {
            bail!("the sidecar did not accept `initialize`");
        }
        Ok(result)
    }

    fn lists(mut self) -> Result<Lists> {
        let started = self.initialize()?;
        let instructions = started.get("instructions").and_then(Value::as_str).unwrap_or_default().len();
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        let tools = self.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} }))?;
        let names = tools.get("tools").and_then(Value::as_array).map_or(0, Vec::len);
        if names == 0 {
            bail!("tools/list is empty");
        }
        println!("tools/list offers {names} tools");
        Ok(Lists { tools: tools.to_string().len(), instructions })
    }
}

/// The time from start to the answer to `initialize`, compared with the start of a process that does nothing.
fn start_times(house: &House, puppy: &Path) -> Result<()> {
    let sidecar = median(|| {
        let begin = Instant::now();
        let mut conversation = Conversation::start(house, puppy)?;
        conversation.initialize()?;
        Ok(begin.elapsed())
    })?;
    let nothing = median(|| {
        let mut command = house.command(if cfg!(windows) { "cmd" } else { "true" });
        if cfg!(windows) {
            command.args(["/C", "exit"]);
        }
        let begin = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().context("a process that does nothing")?;
        Ok(begin.elapsed())
    })?;
    let ratio = sidecar.as_secs_f64() / nothing.as_secs_f64();
    println!(
        "start to `initialize` answered: {:.1} ms, {ratio:.1} times a process that does nothing ({:.1} ms); \
         median of {SPAWNS}, budget 10 ms on a quiet machine",
        millis(sidecar),
        millis(nothing)
    );
    Ok(())
}

/// The time of `notebook list`, from start to exit, compared with the bare request by curl.
fn command_time(house: &House, puppy: &Path) -> Result<()> {
    let kernel = DemoKernel::with_fixture(house, &house.fresh("budgets/workspace")?, demo::SEEN)?;
    let run = |command: &mut Command| {
        let begin = Instant::now();
        let output = command.stdin(Stdio::null()).output().context("it does not start")?;
        let took = begin.elapsed();
        if !output.status.success() || !String::from_utf8_lossy(&output.stdout).contains("Garden") {
            bail!("no notebooks came: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(took)
    };
    let ours = median(|| {
        let mut command = house.command(puppy);
        command.env("SIYUAN_API_URL", kernel.url()).env_remove("SIYUAN_TOKEN");
        run(command.args(["notebook", "list", "--json"]))
    })
    .context("the sidecar's `notebook list`")?;
    if Command::new("curl").arg("--version").output().is_err() {
        println!("`notebook list`: {:.1} ms; not compared, since there is no curl", millis(ours));
        return Ok(());
    }
    let bare = median(|| {
        let url = format!("{}/api/notebook/lsNotebooks", kernel.url());
        run(Command::new("curl").args(["--silent", "--noproxy", "*", "--data", "{}", &url]))
    })
    .context("curl")?;
    println!(
        "`notebook list` from start to exit: {:.1} ms, {:.1} times the bare request by curl ({:.1} ms); median of {SPAWNS}",
        millis(ours),
        ours.as_secs_f64() / bare.as_secs_f64(),
        millis(bare)
    );
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The median of some runs, after one warm-up run.
fn median(mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    run()?;
    let mut times = (0..SPAWNS).map(|_| run()).collect::<Result<Vec<_>>>()?;
    times.sort();
    times.get(SPAWNS / 2).copied().context("nothing was measured")
}

/// Prints the table of kernel requests per action (B-026), which the server's contract test counts and checks.
fn requests(house: &House) -> Result<()> {
    let mut rows = 0;
    let programs = test_programs::built(house)?;
    let (package, name) = CONTRACT;
    let program = programs.iter().find(|it| it.package == package && it.name == name);
    let mut command = program.context("the server has no tests of its contract")?.command(house);
    let (status, _) = tee(
        None,
        command.args(["--exact", "contract::action_sends_only_declared_requests", "--nocapture"]),
        |line| {
            // The test's own name may stand before its first line.
            if let Some(at) = line.find(REQUESTS) {
                rows += 1;
                println!("{}", line.get(at..).unwrap_or(line));
            } else if line.starts_with("test result: ") {
                println!("{line}");
            }
        },
    )?;
    if !status.success() {
        bail!("the contract test of the server failed");
    }
    if rows == 0 {
        bail!("the contract test printed no line with `{REQUESTS}`: kernel requests were not counted");
    }
    Ok(())
}
