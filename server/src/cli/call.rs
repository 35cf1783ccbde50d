//! Runs one action for a person at a terminal, without a server (B-090).

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::sync::Arc;

use puppy_core::activity::Transport;
use puppy_core::dispatch::Call;
use puppy_core::kernel::Ambient;
use puppy_core::output::Output;
use puppy_core::part::Part;
use puppy_core::permission::Closed;
use puppy_core::spec::{ActionSpec, Effect};
use puppy_core::visible;
use serde_json::{Map, Value};

use super::ask::Terminal;
use super::error_text::SentCall;
use super::more::Pages;
use super::names::{CURSOR, NEXT, hyphens};
use super::people::{Clock, View};
use super::print::{self, Form};
use super::progress::Progress;
use super::screen::Screen;
use super::whole::{self, Whole};
use super::{exit, pager};
use crate::channel::announce;
use crate::kernel::{HttpKernel, Options};
use crate::words::{AnswerWords, ErrorWords};
use crate::{Sidecar, sidecar, stop};

pub(super) struct Typed {
    pub(super) spec: &'static ActionSpec,
    pub(super) arguments: Map<String, Value>,
    /// The form of the answer.
    pub(super) form: Form,
    /// Whether ids are shown on a terminal too.
    pub(super) is_wide: bool,
    /// Whether the fields around a text or a list are printed without a terminal too.
    pub(super) has_header: bool,
    /// Whether to skip the question.
    pub(super) yes: bool,
    /// Whether to continue when the table of levels is broken.
    pub(super) no_permission_file: bool,
}

impl Typed {
    /// Whether only the text or the rows are printed, for a pipe or a file.
    fn is_bare(&self) -> bool {
        self.form == Form::People && !self.has_header && !std::io::stdout().is_terminal()
    }
}

/// Runs the action, prints its answer, and returns the exit code.
pub(super) async fn run(options: Options, typed: Typed) -> Result<u8, String> {
    let engine = sidecar(HttpKernel::new(options)?, typed.no_permission_file);
    // The puppy shows a long call while it runs, and barks while a person is asked.
    engine.observer.start();
    let is_whole = typed.is_bare() && whole::is_wanted(typed.spec, &typed.arguments);
    let code = if is_whole { note(&engine, typed).await } else { pages(&engine, typed).await };
    if let Some(files) = engine.channel.unsent() {
        announce(engine.kernel.http(), &files).await;
    }
    engine.observer.finish().await;
    Ok(code)
}

/// Runs the call, and again for each further page that a person wants.
async fn pages(engine: &Sidecar, mut typed: Typed) -> u8 {
    let mut pages = Pages::new(typed.spec, &typed.arguments, typed.form);
    loop {
        let mut output = match carry(engine, &typed).await {
            Ok(output) => output,
            Err(code) => return code,
        };
        let next = if pages.are_offered() { output.data.shift_remove(NEXT) } else { None };
        show(engine, &typed, &output).await;
        let code = print::code(typed.spec, &output);
        let turned = tokio::select! {
            turned = pages.turned(next.as_ref(), &mut typed.arguments) => turned,
            () = stop::signal() => return interrupted(),
        };
        if !turned {
            return code;
        }
    }
}

/// Reads all pages of a note, then prints them: a call that fails leaves no part of a note in a file.
async fn note(engine: &Sidecar, mut typed: Typed) -> u8 {
    let mut note = Whole::default();
    whole::widen(typed.spec, &mut typed.arguments);
    loop {
        let added = match carry(engine, &typed).await {
            Ok(page) => note.add(page),
            Err(code) => return code,
        };
        match added {
            Ok(Some(next)) => typed.arguments.insert(CURSOR.to_owned(), next),
            Ok(None) => break,
            Err(error) => {
                print::error(&error, typed.form, None);
                return exit::code(&error);
            }
        };
    }
    show(engine, &typed, &note.into_output()).await;
    0
}

/// Makes the call. An error is printed, and its exit code is returned.
async fn carry(engine: &Sidecar, typed: &Typed) -> Result<Output, u8> {
    tokio::select! {
        reply = ask(engine, typed) => reply,
        // The call is dropped; the events recorded for the puppy are still written.
        () = stop::signal() => Err(interrupted()),
    }
}

async fn ask(engine: &Sidecar, typed: &Typed) -> Result<Output, u8> {
    let progress = Arc::new(Progress::default());
    let asks = typed.spec.worst == Effect::Destructive || typed.spec.danger.is_for_siyuan();
    let gate = Terminal { asks, yes: typed.yes, progress: progress.clone() };
    let mut arguments = typed.arguments.clone();
    arguments.insert("action".to_owned(), Value::from(typed.spec.name));
    let call = Call {
        tool: typed.spec.tool,
        arguments,
        part: Part::Whole,
        transport: Transport::Cli,
        client: String::new(),
    };
    let command = format!("{} {}", typed.spec.tool.name(), hyphens(typed.spec.name));
    let reply = progress.watch(&command, engine.dispatch(call, &gate)).await;
    if engine.kernel.forgave() {
        let warning = AnswerWords::here().warning(ErrorWords::here().no_table());
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
    match reply {
        Ok(output) => Ok(output),
        Err(mut error) => {
            if typed.is_bare() {
                whole::narrow(typed.spec, &mut error);
            }
            let sent = SentCall { spec: typed.spec, arguments: &typed.arguments };
            print::error(&error, typed.form, Some(&sent));
            if matches!(engine.policy().await.scope.grants.table, Err(Closed::Malformed(_))) {
                let _ = writeln!(std::io::stderr(), "  {}", ErrorWords::here().forgive());
            }
            Err(exit::code(&error))
        }
    }
}

async fn show(engine: &Sidecar, typed: &Typed, output: &Output) {
    let screen = Screen::out();
    if typed.form != Form::People {
        // A reader that closes the pipe early (`| head`) is not a failure.
        let _ = std::io::stdout().write_all(print::for_programs(output, typed.form).as_bytes());
        if typed.form == Form::Ids {
            say(&print::beside_ids(typed.spec, output));
        }
        return;
    }
    let clock = || Clock::new(engine.kernel.now_ms(), &engine.kernel.local_digits());
    let view = View {
        width: screen.width,
        clock: screen.is_terminal.then(clock),
        notebooks: notebooks(engine, &output.data).await,
        hides_ids: screen.is_terminal && !typed.is_wide,
        has_found_words: screen.is_coloured && typed.arguments.contains_key("query"),
    };
    if !typed.is_bare() {
        pager::show(&screen, print::for_people(typed.spec, output, &view)).await;
        return;
    }
    let (text, notes) = print::for_pipes(typed.spec, output, &view);
    pager::show(&screen, text).await;
    say(&notes);
}

/// Prints notes beside an answer.
fn say(notes: &[String]) {
    for note in notes {
        let _ = writeln!(std::io::stderr(), "{}", print::plain(note));
    }
}

/// The names of the readable notebooks, if the answer tells some by their ids.
async fn notebooks(engine: &Sidecar, data: &Map<String, Value>) -> HashMap<String, String> {
    if !data.values().any(names_a_notebook) {
        return HashMap::new();
    }
    let policy = engine.policy().await;
    let named = policy.scope.visible_notebooks();
    named.map(|it| (it.id.clone(), visible::shown(&it.name).into_owned())).collect()
}

fn names_a_notebook(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(names_a_notebook),
        Value::Object(fields) => fields.contains_key("notebook") || fields.values().any(names_a_notebook),
        _ => false,
    }
}

/// Leaves the line on which the keys are shown.
fn interrupted() -> u8 {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr());
    }
    exit::INTERRUPTED
}
