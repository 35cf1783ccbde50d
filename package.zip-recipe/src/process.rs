//! Child processes: each has a group of its own and is ended with all its descendants, whatever happens to us.

use anyhow::{Context as _, Result, bail};
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
const POLL: Duration = Duration::from_millis(20);
/// The time in which a process may end by itself after a request.
const GRACE: Duration = Duration::from_secs(3);

/// Ctrl-C, a closed terminal and a polite kill only set a flag; the waits below check it and clean up.
pub(crate) fn watch_for_interrupt() -> Result<()> {
    ctrlc::set_handler(interrupt).context("cannot listen for Ctrl-C")
}

/// Asks us to end, as Ctrl-C does.
pub(crate) fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Whether someone asked us to end.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// An error when it is time to stop waiting.
pub(crate) fn go_on(deadline: Option<Instant>) -> Result<()> {
    if interrupted() {
        bail!("interrupted");
    }
    if deadline.is_some_and(|deadline| Instant::now() > deadline) {
        bail!("it did not come to an end in time and was stopped");
    }
    Ok(())
}

/// A running child; dropping it ends the child and all its descendants.
pub(crate) struct Guard {
    child: Child,
    ended: bool,
}

impl Guard {
    /// Starts the command without standard input unless the caller has set one.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.spawn().with_context(|| format!("`{}` does not start", leaf(&name)))?;
        Ok(Self { child, ended: false })
    }

    /// The child's own handles.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The exit status, once it has ended.
    pub(crate) fn try_wait(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.child.try_wait().context("cannot wait for a child process")?;
        self.ended |= status.is_some();
        Ok(status)
    }

    /// Waits for the end; an interrupt or the deadline ends the child first.
    pub(crate) fn wait(&mut self, deadline: Option<Instant>) -> Result<ExitStatus> {
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            if let Err(reason) = go_on(deadline) {
                self.end();
                return Err(reason);
            }
            std::thread::sleep(POLL);
        }
    }

    /// Requests the group to end, then kills it.
    pub(crate) fn end(&mut self) {
        if !self.ended {
            signal_group(&mut self.child, false);
            let deadline = Instant::now() + GRACE;
            while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
                std::thread::sleep(POLL);
            }
            self.ended = true;
        }
        // Descendants may outlive the leader of the group.
        signal_group(&mut self.child, true);
        let _ = self.child.wait();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
fn signal_group(child: &mut Child, force: bool) {
    use nix::sys::signal::{Signal, killpg};
    let signal = if force { Signal::SIGKILL } else { Signal::SIGTERM };
    if let Ok(id) = i32::try_from(child.id()) {
        // An error means that the group is gone, which is the goal.
        let _ = killpg(nix::unistd::Pid::from_raw(id), signal);
    }
}

#[cfg(not(unix))]
fn signal_group(child: &mut Child, force: bool) {
    if force {
        let id = child.id().to_string();
        let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &id]).output();
    }
}

/// The same command, which runs while others wait.
pub(crate) fn with_what_is_left(command: &Command) -> Command {
    if cfg!(windows) {
        return again(command, Command::new(command.get_program()));
    }
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]).arg(command.get_program());
    again(command, nice)
}

/// A command with the arguments, variables and folder of another one.
fn again(from: &Command, mut to: Command) -> Command {
    to.args(from.get_args());
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
    if let Some(folder) = from.get_current_dir() {
        to.current_dir(folder);
    }
    to
}

/// Runs a command to its end; its output is shown as it comes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    finish(command, None)
}

/// As [`run`], for commands that may hang: it is stopped at the deadline.
pub(crate) fn run_within(limit: Duration, command: &mut Command) -> Result<()> {
    finish(command, Some(Instant::now() + limit))
}

fn finish(command: &mut Command, deadline: Option<Instant>) -> Result<()> {
    let shown = show(command);
    let status =
        Guard::start(command.stdin(Stdio::null()))?.wait(deadline).with_context(|| format!("`{shown}`"))?;
    succeeded(&shown, status)
}

fn succeeded(shown: &str, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs commands side by side and tells the name of each that has succeeded; the first failure ends the others.
pub(crate) fn run_beside<const N: usize>(
    commands: [(&'static str, Command); N],
    mut done: impl FnMut(&'static str),
) -> Result<()> {
    let mut running = Vec::new();
    for (name, mut command) in commands {
        let guard = Guard::start(command.stdin(Stdio::null()))?;
        running.push((name, show(&command), guard));
    }
    while !running.is_empty() {
        let mut left = Vec::new();
        for (name, shown, mut guard) in running {
            match guard.try_wait()? {
                Some(status) => {
                    succeeded(&shown, status)?;
                    done(name);
                }
                None => left.push((name, shown, guard)),
            }
        }
        running = left;
        go_on(None)?;
        std::thread::sleep(POLL);
    }
    Ok(())
}

/// Runs a command to its end and returns what it wrote to standard output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let (status, text) = tee(None, command, |_| {})?;
    succeeded(&shown, status)?;
    Ok(text)
}

/// Runs a command, passes on each line of its standard output as it comes, and returns all of it.
pub(crate) fn tee(
    limit: Option<Duration>,
    command: &mut Command,
    mut line: impl FnMut(&str),
) -> Result<(ExitStatus, String)> {
    let deadline = limit.map(|limit| Instant::now() + limit);
    let mut guard = Guard::start(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let lines = lines_of(guard.child().stdout.take());
    let mut all = String::new();
    loop {
        match lines.recv_timeout(POLL) {
            Ok(text) => {
                line(&text);
                all.push_str(&text);
                all.push('\n');
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => go_on(deadline)?,
        }
    }
    Ok((guard.wait(deadline)?, all))
}

/// As [`tee`], for a command that has to put things away: after an interrupt it is asked to end, and gets this much
/// time in which its lines are still passed on.
pub(crate) fn tee_until_tidy(
    grace: Duration,
    command: &mut Command,
    mut line: impl FnMut(&str),
) -> Result<ExitStatus> {
    let mut guard = Guard::start(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let lines = lines_of(guard.child().stdout.take());
    let mut deadline: Option<Instant> = None;
    loop {
        match lines.recv_timeout(POLL) {
            Ok(text) => line(&text),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => match deadline {
                None if interrupted() => {
                    signal_group(&mut guard.child, false);
                    deadline = Some(Instant::now() + grace);
                }
                Some(deadline) if Instant::now() > deadline => break,
                _ => {}
            },
        }
    }
    guard.wait(None)
}

/// The lines of a stream, read by a thread of its own.
pub(crate) fn lines_of(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stream) = stream {
        std::thread::spawn(move || {
            for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// The stream on which a service reports that it is ready.
#[derive(Clone, Copy)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A server that we started and that has reported its address.
pub(crate) struct Service {
    guard: Guard,
    name: &'static str,
    log: PathBuf,
    /// The address from its ready line.
    pub(crate) url: String,
}

impl Service {
    /// Starts a server and waits for its line `<name> listening on <url>`; both streams are kept in `log`.
    pub(crate) fn start(
        name: &'static str,
        command: &mut Command,
        stream: Stream,
        log: &Path,
    ) -> Result<Self> {
        let file = std::fs::File::create(log).with_context(|| format!("cannot write the log of {name}"))?;
        let other = file.try_clone().context("cannot share the log file")?;
        command.stdin(Stdio::null());
        match stream {
            Stream::Out => command.stdout(Stdio::piped()).stderr(other),
            Stream::Err => command.stdout(other).stderr(Stdio::piped()),
        };
        let mut guard = Guard::start(command)?;
        let lines = match stream {
            Stream::Out => lines_of(guard.child().stdout.take()),
            Stream::Err => lines_of(guard.child().stderr.take()),
        };
        let url = wait_until_ready(name, &lines, &file, log)?;
        // Keep reading, or the pipe fills up and the server stops.
        std::thread::spawn(move || {
            let mut file = file;
            for line in lines {
                let _ = writeln!(file, "{line}");
            }
        });
        Ok(Self { guard, name, log: log.to_path_buf(), url })
    }

    /// An error when the server has ended unexpectedly.
    pub(crate) fn check(&mut self) -> Result<()> {
        if let Some(status) = self.guard.try_wait()? {
            let said = std::fs::read_to_string(&self.log).unwrap_or_default();
            bail!("{} ended by itself ({status}); it said:\n{}", self.name, said.trim());
        }
        Ok(())
    }
}

fn wait_until_ready(
    name: &str,
    lines: &mpsc::Receiver<String>,
    mut log: &std::fs::File,
    path: &Path,
) -> Result<String> {
    let mark = format!("{name} listening on ");
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if interrupted() {
            bail!("interrupted");
        }
        match lines.recv_timeout(POLL) {
            Ok(line) => {
                let _ = writeln!(log, "{line}");
                if let Some((_, url)) = line.split_once(&mark) {
                    return Ok(url.trim().to_owned());
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let said = std::fs::read_to_string(path).unwrap_or_default();
    bail!("{name} did not say that it listens; it said:\n{}", said.trim())
}

/// The command as a person would type it, without its environment, which may contain a token.
fn show(command: &Command) -> String {
    let mut words = vec![leaf(&command.get_program().to_string_lossy()).to_owned()];
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

fn leaf(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn alive(pid: &str) -> bool {
        Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap().success()
    }

    #[test]
    fn dropping_a_guard_ends_the_grandchildren_too() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' TERM; sleep 300 & echo $!; wait; wait; sleep 300"])
            .stdout(Stdio::piped());
        let mut guard = Guard::start(&mut command).unwrap();
        let pid = lines_of(guard.child().stdout.take()).recv().unwrap();
        assert!(alive(&pid));
        drop(guard);
        let deadline = Instant::now() + Duration::from_secs(10);
        while alive(&pid) && Instant::now() < deadline {
            std::thread::sleep(POLL);
        }
        assert!(!alive(&pid));
    }

    #[test]
    fn what_hangs_is_stopped() {
        let limit = Duration::from_millis(100);
        for error in [
            run_within(limit, Command::new("sleep").arg("300")).unwrap_err(),
            tee(Some(limit), Command::new("sleep").arg("300"), |_| {}).unwrap_err(),
        ] {
            assert!(format!("{error:#}").contains("in time"), "{error:#}");
        }
    }

    #[test]
    fn a_failed_command_is_named_without_its_environment() {
        let error = run(Command::new("sh").args(["-c", "exit 3"]).env("SIYUAN_TOKEN", "secret")).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("sh -c exit 3") && text.contains('3') && !text.contains("secret"), "{text}");
    }

    #[test]
    fn a_command_that_takes_what_is_left_is_the_same_one() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "nice; echo $OF_TEST${HOME+ home}; pwd"])
            .env("OF_TEST", "set")
            .env_remove("HOME");
        let output = capture(&mut with_what_is_left(command.current_dir("/"))).unwrap();
        assert_eq!(output, "19\nset\n/\n");
    }

    #[test]
    fn commands_run_side_by_side_and_are_told_as_they_end() {
        // Each waits for the other's file, so neither would end alone.
        let folder = std::env::temp_dir().join(format!("recipe-beside-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let command = |own: &str, other: &str| {
            let mut command = Command::new("sh");
            let script = format!(
                "touch {own}; n=0; until test -e {other}; do n=$((n+1)); test $n -lt 500 || exit 1; sleep 0.02; done"
            );
            command.args(["-c", &script]).current_dir(&folder);
            command
        };
        let mut output = Vec::new();
        run_beside([("one", command("a", "b")), ("other", command("b", "a"))], |name| output.push(name))
            .unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        output.sort_unstable();
        assert_eq!(output, ["one", "other"]);
    }

    #[test]
    fn the_first_failure_ends_what_runs_beside_it() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let pid = std::env::temp_dir().join(format!("recipe-pid-{}", std::process::id()));
        let long = format!("echo $$ > {}; exec sleep 300", pid.display());
        let short = format!("while ! test -s {}; do sleep 0.02; done; exit 3", pid.display());
        let mut output = Vec::new();
        let error = run_beside([("long", shell(&long)), ("short", shell(&short))], |name| output.push(name));
        let left = std::fs::read_to_string(&pid).unwrap();
        std::fs::remove_file(&pid).unwrap();
        assert!(error.unwrap_err().to_string().contains("exit 3"));
        assert!(output.is_empty() && !alive(left.trim()));
    }

    #[test]
    fn a_server_that_ends_before_it_listens_is_an_error_with_its_words() {
        let log = std::env::temp_dir().join(format!("recipe-log-{}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "echo no room >&2; exit 1"]);
        let error = Service::start("demo-kernel", &mut command, Stream::Err, &log).err().unwrap();
        let _ = std::fs::remove_file(&log);
        assert!(format!("{error:#}").contains("no room"), "{error:#}");
    }
}
