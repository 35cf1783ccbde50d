//! The command line's shape, made from the registry at run time.

use clap::{Arg, ArgAction, Command, value_parser};

/// The port of the HTTP server, as clap wants a default: text.
const PORT: &str = "36806";

/// The whole command line.
pub(super) fn command() -> Command {
    Command::new("siyuan-puppy")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Work in your SiYuan notes: an MCP server for agents, and a command line for you.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(global())
        .subcommand(
            Command::new("stdio").about("Serve one agent over stdin and stdout").arg(parent_pid()),
        )
        .subcommand(
            Command::new("http")
                .about("Serve agents over HTTP at /mcp")
                .arg(
                    Arg::new("host")
                        .long("host")
                        .value_name("IP")
                        .default_value("127.0.0.1")
                        .help("Address to listen at; one beyond this machine needs SIYUAN_MCP_TOKEN"),
                )
                .arg(
                    Arg::new("port")
                        .long("port")
                        .value_name("N")
                        .value_parser(value_parser!(u16))
                        .default_value(PORT)
                        .help("Port to listen at; 0 takes any free one"),
                )
                .arg(parent_pid()),
        )
}

fn parent_pid() -> Arg {
    Arg::new("parent-pid")
        .long("parent-pid")
        .value_name("PID")
        .value_parser(value_parser!(u32))
        .help("End when this process ends [env: SIYUAN_MCP_PARENT_PID]")
}

fn global() -> Vec<Arg> {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).global(true).help(help)
    };
    vec![
        Arg::new("url")
            .long("url")
            .value_name("URL")
            .global(true)
            .help("Address of SiYuan [env: SIYUAN_API_URL]; looked up on this machine when left out"),
        Arg::new("token-file")
            .long("token-file")
            .value_name("FILE")
            .value_parser(value_parser!(std::path::PathBuf))
            .global(true)
            .help("File that holds SiYuan's API token [env: SIYUAN_TOKEN]"),
        flag("debug", "Show the requests to SiYuan on stderr, without secrets"),
    ]
}
