//! Writes the JavaScript that loads a wasm module, and the module as that JavaScript wants it: `page-binder MODULE FOLDER`.

use anyhow::{Context as _, Result, bail};
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [module, folder] = arguments.as_slice() else { bail!("usage: page-binder MODULE FOLDER") };
    let (module, folder) = (Path::new(module), Path::new(folder));
    let name = module.file_name().unwrap_or_default().display();
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("wasm-bindgen cannot read {name}"))?;
    if folder.join("snippets").exists() {
        bail!("{name} brings JavaScript files of its own (snippets), which the plugin has no place for");
    }
    Ok(())
}
