//! `cargo demo`: the whole system on this machine, driven by a scripted agent while you watch the puppy.

use crate::house::House;
use crate::process::{Service, interrupted, run_beside, run_within};
use crate::progress::Parts;
use crate::sidecar::{self, DemoKernel};
use crate::toolchain::{self, Part};
use crate::{prerequisites, wasm};
use anyhow::{Context as _, Error, Result, anyhow, bail};
use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

/// The plugin's name, in its folder and in SiYuan's storage.
pub(crate) const PLUGIN: &str = "siyuan-mcp-puppy";

/// The version of SiYuan that people see.
pub(crate) const SEEN: &str = "3.7";
/// The other version that the demo kernel can be.
const NEWER: &str = "3.8";

/// The programs of the demo and of the page's build, which compile fastest together.
pub(crate) const PROGRAMS: &[&str] = &["siyuan-puppy", "demo-kernel", wasm::BINDER, wasm::PANEL];

/// The options from the command line.
pub(crate) struct Options {
    /// End after the agent's run, which makes no pauses: no page is opened to watch it on.
    pub(crate) once: bool,
    /// Leave out the agent's pauses.
    pub(crate) fast: bool,
    /// Open the page in a browser, where there is a desktop.
    pub(crate) open: bool,
}

impl Options {
    /// Reads the flags.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { once: false, fast: false, open: true };
        for argument in arguments {
            match argument.as_str() {
                "--once" => options.once = true,
                "--fast" => options.fast = true,
                "--no-open" => options.open = false,
                other => bail!("`{other}` is not known to cargo demo; it takes --once, --fast and --no-open"),
            }
        }
        Ok(options)
    }
}

/// The SiYuan to work on: the demo's own or the user's.
struct Notes {
    url: String,
    kernel: Option<DemoKernel>,
}

impl Notes {
    /// An error when the demo's own kernel has ended unexpectedly.
    fn check(&mut self) -> Result<()> {
        self.kernel.as_mut().map_or(Ok(()), DemoKernel::check)
    }
}

/// Builds everything, runs the agent, and stays until Ctrl-C; leaves no process running, whatever happens.
pub(crate) fn run_demo(house: &House, options: &Options) -> Result<()> {
    prerequisites::node()?;
    let real = sidecar::given_kernel();
    if real.is_none() {
        // Fails before minutes of compiling, not after.
        toolchain::need(house, &[Part::Wasm])?;
    }
    let mut parts = Parts::new(if real.is_some() { 2 } else { 3 });
    println!("On a fresh machine with two cores, building takes some minutes; afterwards it is at hand.");
    let plugin = std::thread::scope(|scope| {
        // Downloads overlap with compiling: one needs the network, the other the processor.
        let packages = scope.spawn(|| prerequisites::node_modules(house, "e2e/agent"));
        let plugin = build(house, &mut parts, real.is_none())?;
        packages.join().map_err(|_| anyhow!("the packages of the agent could not be installed"))??;
        Ok::<_, Error>(plugin)
    })?;
    parts.next("the agent at work");
    let notes = match (real, plugin) {
        (Some(url), _) => Notes { url, kernel: None },
        (None, plugin) => demo_notes(house, &plugin.context("the plugin was not built")?, SEEN)?,
    };
    show(house, options, notes)
}

/// The agent's run alone, once and without pauses, with existing builds: the plugin is the shipped one.
pub(crate) fn run_built(house: &House) -> Result<()> {
    prerequisites::node_modules(house, "e2e/agent")?;
    let options = Options { once: true, fast: true, open: false };
    if let Some(url) = sidecar::given_kernel() {
        return show(house, &options, Notes { url, kernel: None });
    }
    let plugin = wasm::plugin(house);
    for siyuan in [SEEN, NEWER] {
        show(house, &options, demo_notes(house, &plugin, siyuan)?)
            .with_context(|| format!("on the demo kernel as SiYuan {siyuan}"))?;
    }
    Ok(())
}

/// Starts the sidecar, runs the agent, and stays if requested.
fn show(house: &House, options: &Options, mut notes: Notes) -> Result<()> {
    let program = sidecar::existing(house.program("debug", "siyuan-puppy"))?;
    let mut sidecar = sidecar::start_http(house, &program, &notes.url, "demo/siyuan-puppy.log")?;

    let page = format!("{}/stage/build/desktop/", notes.url);
    println!("\n  page     {page}");
    println!("  sidecar  {}", sidecar.url);
    println!("  logs     {}\n", house.show(&house.build("demo")));
    if options.open && !options.once && has_desktop() {
        open(&page);
        // The page needs a moment to show the puppy.
        pause(Duration::from_secs(3));
    }
    agent(house, options, &mut notes, &mut sidecar)?;
    if options.once {
        return Ok(());
    }
    stay(house, options, &mut notes, &mut sidecar)
}

/// Builds the servers, and the page unless a SiYuan already has it; returns the plugin's folder.
fn build(house: &House, parts: &mut Parts, whole: bool) -> Result<Option<PathBuf>> {
    if !whole {
        parts.next("the sidecar");
        sidecar::build_debug(house, &["siyuan-puppy"])?;
        return Ok(None);
    }
    parts.next("the sidecar and the demo kernel, and beside them the page's modules");
    let mut compilers = [
        ("the sidecar and the demo kernel", sidecar::debug_build(house, PROGRAMS)),
        ("the page's modules", wasm::quick_build(house)),
    ];
    for (_, cargo) in &mut compilers {
        // Two bars would overwrite each other; lines do not.
        cargo.env("CARGO_TERM_PROGRESS_WHEN", "never");
    }
    run_beside(compilers, |name| parts.done(name))?;
    parts.next("the plugin, from the page's modules");
    wasm::bind_quickly(house).map(Some)
}

/// The demo kernel with its notebooks and the plugin installed.
fn demo_notes(house: &House, plugin: &Path, siyuan: &str) -> Result<Notes> {
    let workspace = house.fresh("demo/workspace")?;
    install_plugin(plugin, &workspace)?;
    let kernel = DemoKernel::with_fixture(house, &workspace, siyuan)?;
    Ok(Notes { url: kernel.url().to_owned(), kernel: Some(kernel) })
}

/// Installs the plugin as the marketplace would, switched on.
pub(crate) fn install_plugin(plugin: &Path, workspace: &Path) -> Result<()> {
    copy_folder(plugin, &workspace.join("data/plugins").join(PLUGIN))?;
    let storage = workspace.join("data/storage/petal");
    std::fs::create_dir_all(&storage).context("cannot create the demo's storage")?;
    let petals = serde_json::json!([{ "name": PLUGIN, "enabled": true }]);
    std::fs::write(storage.join("petals.json"), petals.to_string()).context("cannot switch the plugin on")
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).context("cannot create a folder of the demo's workspace")?;
    for entry in std::fs::read_dir(from).context("the plugin is missing")? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target).context("cannot copy the plugin")?;
        }
    }
    Ok(())
}

/// Runs the scripted agent once; if it fails because a server died, returns that error.
fn agent(house: &House, options: &Options, notes: &mut Notes, sidecar: &mut Service) -> Result<()> {
    let result = run_agent(house, options, notes, sidecar);
    if result.is_err() && !interrupted() {
        notes.check()?;
        sidecar.check()?;
    }
    result
}

fn run_agent(house: &House, options: &Options, notes: &Notes, sidecar: &Service) -> Result<()> {
    let mut command = house.command("node");
    command.arg("agent/demo.mjs").args(["--url", &sidecar.url]).current_dir(house.at("e2e"));
    if options.fast || options.once {
        command.arg("--fast");
    }
    command.env("MCP_URL", &sidecar.url).env("KERNEL_URL", &notes.url);
    if let Ok(token) = std::env::var("SIYUAN_TOKEN") {
        command.env("KERNEL_TOKEN", token);
    }
    run_within(Duration::from_secs(5 * 60), &mut command).context("the agent did not come through")
}

/// Keeps everything running until Ctrl-C; Enter runs the agent again.
fn stay(house: &House, options: &Options, notes: &mut Notes, sidecar: &mut Service) -> Result<()> {
    let enter = if std::io::stdin().is_terminal() { Some(lines_of_stdin()) } else { None };
    let again = if enter.is_some() { "Enter lets the agent work again, " } else { "" };
    println!("\nThe system keeps running: {again}Ctrl-C ends it.");
    while !interrupted() {
        notes.check()?;
        sidecar.check()?;
        if enter.as_ref().is_some_and(|lines| lines.try_recv().is_ok()) {
            match agent(house, options, notes, sidecar) {
                Err(_) if interrupted() => break,
                result => result?,
            }
            println!("\nEnter: again, Ctrl-C: end.");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("\nEnded; nothing is left running.");
    Ok(())
}

fn lines_of_stdin() -> mpsc::Receiver<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for _ in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(()).is_err() {
                break;
            }
        }
    });
    receiver
}

fn pause(time: Duration) {
    let end = std::time::Instant::now() + time;
    while std::time::Instant::now() < end && !interrupted() {
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether there is someone to show a browser to.
fn has_desktop() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("CI")
        && !set("SSH_CONNECTION")
        && (cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY"))
}

/// Opens the page. A failure is ignored, because the address is on the screen.
fn open(page: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let quiet = || std::process::Stdio::null();
    let _ = command.arg(page).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

/// As [`run_demo`], but an interrupt counts as success.
pub(crate) fn run(house: &House, options: &Options) -> Result<()> {
    match run_demo(house, options) {
        Err(_) if interrupted() && !options.once => {
            println!("\nEnded; nothing is left running.");
            Ok(())
        }
        result => result,
    }
}
