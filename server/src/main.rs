//! The program `siyuan-puppy`: reads its command line and hands over.

use std::process::ExitCode;

fn main() -> ExitCode {
    puppy_server::cli::main()
}
