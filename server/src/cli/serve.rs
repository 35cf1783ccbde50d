//! Runs the servers `siyuan-puppy stdio` and `siyuan-puppy http`.

use std::io::Write;
use std::time::Duration;

use clap::ArgMatches;
use puppy_core::config::CallerToken;
use puppy_core::kernel::api::system;
use puppy_core::kernel::ask;
use puppy_core::part::Grouping;
use puppy_core::render::schema::{Detail, Style};
use puppy_core::visible;

use super::{confirm, environment, listening};
use crate::channel::Keeper;
use crate::http::Server;
use crate::kernel::{HttpKernel, Options};
use crate::mcp::{McpRoutes, Surface};
use crate::stop::Stop;
use crate::words::{self, DoctorWords, Language, StartWords};
use crate::{Sidecar, discover, mcp, relay, serving, sidecar};

/// The time that SiYuan has at startup to say whether callers need a token.
const ASKING: Duration = Duration::from_secs(1);

/// The time after which SiYuan counts as not answering.
const ANSWER: Duration = Duration::from_secs(5);

/// Serves one agent over stdin and stdout.
pub(super) async fn stdio(options: Options, matches: &ArgMatches) -> Result<(), String> {
    let surface = surface(matches)?;
    let stop = Stop::watch(environment::parent(matches.get_one("parent-pid").copied())?)?;
    let remote = listening::remote(matches, &options.trust)?;
    // The start is over; agents read all that follows.
    words::choose(Language::English);
    if let Some(remote) = remote {
        return relay::serve(remote, surface, stop).await;
    }
    let sidecar = sidecar(HttpKernel::new(options)?, false).asking(confirm::order(matches));
    sidecar.observer.start();
    drop(sidecar.observer.write_defaults());
    let keeper = Keeper::start(&sidecar);
    let served = mcp::serve_stdio(sidecar.clone(), surface, environment::agent(), stop).await;
    keeper.stop().await;
    sidecar.observer.finish().await;
    served
}

/// Serves agents over HTTP.
pub(super) async fn http(options: Options, matches: &ArgMatches) -> Result<(), String> {
    let served = McpRoutes::actions(surface(matches)?);
    let stop = Stop::watch(environment::parent(matches.get_one("parent-pid").copied())?)?;
    if matches.get_flag("watch-stdin") {
        stop.at_end_of_stdin();
    }
    let mut settings = listening::settings(matches, options.address.clone())?;
    let sidecar = sidecar(HttpKernel::new(options)?, false).asking(confirm::order(matches));
    if settings.token.is_none() {
        // A kernel that hangs must not keep the port closed; every request asks for the settings again.
        let policy = tokio::time::timeout(ASKING, sidecar.policy()).await;
        settings.asks_in_siyuan = policy.is_ok_and(|it| matches!(it.rules.calls.token, CallerToken::Is(_)));
    }
    let is_fixed = settings.port != 0;
    let server = Server::bind(settings).await?;
    sidecar.observer.start();
    drop(sidecar.observer.write_defaults());
    // Only SiYuan's page starts a server that its stdin stops.
    sidecar.channel.serves(server.reached_at(), matches.get_flag("watch-stdin"));
    let keeper = Keeper::start(&sidecar);
    // The parent process reads this line to learn the address; a closed stderr is no reason to exit.
    let words = (StartWords::here(), DoctorWords::here());
    let _ = writeln!(std::io::stderr(), "{}", words.0.listening(server.url()));
    if let Some(notice) = server.notice() {
        let _ = writeln!(std::io::stderr(), "{}", words.0.note(notice));
    }
    // The start is over; agents read all that follows.
    words::choose(Language::English);
    // Nobody looks for a server at a port that was chosen by chance.
    let kernel = discover::shown(&sidecar.kernel.http().url().await);
    let noted = is_fixed.then(|| serving::note(server.port(), kernel));
    tokio::spawn(print_served_kernel(sidecar.clone(), words));
    server.serve(served, sidecar.clone(), stop).await;
    drop(noted);
    keeper.stop().await;
    sidecar.observer.finish().await;
    Ok(())
}

/// Prints which SiYuan is served, for a person; a kernel that hangs delays nothing.
async fn print_served_kernel(sidecar: Sidecar, (start, words): (StartWords, DoctorWords)) {
    let url = discover::shown(&sidecar.kernel.http().url().await);
    let asked = async { (ask(&*sidecar.kernel, system::version()).await, sidecar.policy().await) };
    let note = match tokio::time::timeout(ANSWER, asked).await {
        Ok((Ok(version), policy)) => {
            let n = policy.scope.visible_notebooks().count();
            words.serving(visible::shown(&version), url, n)
        }
        _ => words.serving_nothing(url),
    };
    let _ = writeln!(std::io::stderr(), "{}", start.note(note));
}

/// The names, the grouping and the size of the tool list.
fn surface(matches: &ArgMatches) -> Result<Surface, String> {
    let prefix = matches.get_one::<String>("tool-prefix").map_or("", String::as_str);
    let word = matches.get_one::<String>("surface").map_or("", String::as_str);
    let detail = match (matches.get_flag("compact"), matches.get_flag("all-arguments")) {
        (true, _) => Detail::Compact,
        (_, true) => Detail::Complete,
        _ => Detail::Full,
    };
    Surface::new(prefix, Style { grouping: Grouping::named(word).unwrap_or_default(), detail })
}
