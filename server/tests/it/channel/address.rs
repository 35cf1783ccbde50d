//! The address that `siyuan-puppy http` announces to pages: one at which a browser can reach it, and never a token.

use std::path::Path;

use puppy_core::channel::HttpAnnouncement;

use super::Page;
use crate::process::{Running, program};
use crate::world::World;

const TOKEN: &str = "token-of-the-clients-0123456789";

/// Starts a server with these options; what the page learns of it, and its port.
async fn announced(world: &World, flags: &[&str], token: &Path) -> (HttpAnnouncement, String) {
    let mut command = program(&world.kernel.url());
    command.env("SIYUAN_MCP_TOKEN_FILE", token).env("HOME", token.parent().unwrap());
    let server = Running::start_with(&mut command, flags);
    let port = server.url.rsplit_once(':').unwrap().1.strip_suffix("/mcp").unwrap().to_owned();
    let page = Page::open(world, true, 1).await;
    let servers = page.until("the address", |page| Some(page.end.http_servers(page.now()))).await;
    let [server] = &servers[..] else { panic!("{servers:?}") };
    (server.clone(), port)
}

/// A server on another port announces its address; one on all interfaces its own machine's, then the names under which
/// others reach it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_announces_the_address_that_a_browser_can_use() {
    let world = World::new().await;
    let token = tempfile::tempdir().unwrap();
    let file = token.path().join("token");
    std::fs::write(&file, TOKEN).unwrap();
    let names = ["--allow-host", "notes.example,nas.local:8443"];
    let everywhere = ["--host", "0.0.0.0"];
    for (flags, due) in [
        (vec![], vec!["http://127.0.0.1:PORT/mcp"]),
        // Nobody else reaches a server on this machine alone, whatever it is called.
        (names.to_vec(), vec!["http://127.0.0.1:PORT/mcp"]),
        (everywhere.to_vec(), vec!["http://127.0.0.1:PORT/mcp"]),
        (
            [everywhere, names].concat(),
            vec!["http://127.0.0.1:PORT/mcp", "http://notes.example:PORT/mcp", "http://nas.local:8443/mcp"],
        ),
        (vec!["--tls", "generate"], vec!["https://127.0.0.1:PORT/mcp"]),
    ] {
        let (server, port) = announced(&world, &flags, &file).await;
        let due: Vec<String> = due.iter().map(|it| it.replace("PORT", &port)).collect();
        assert_eq!((server.urls.as_slice(), server.is_kept), (&due[..], false), "{flags:?}");
        assert!(!format!("{server:?}").contains("token"), "{server:?}");
    }
}

/// A server that stops with its parent's stdin is SiYuan's own, which pages prefer.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_siyuan_says_so() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, TOKEN).unwrap();
    assert!(announced(&world, &["--watch-stdin"], &file).await.0.is_kept);
}
