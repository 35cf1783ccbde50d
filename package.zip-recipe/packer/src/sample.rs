//! A small good package, for tests that break it.

use crate::archive::{self, Package};
use crate::plugin::Files;
use crate::sidecars::{Effort, Sidecars};

/// The first bytes of a program for a platform, 64 of them for those of Unix.
pub(crate) fn program(platform: &str) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    let mut put = |at: usize, what: &[u8]| bytes[at..at + what.len()].copy_from_slice(what);
    match platform {
        "linux-x64" | "linux-arm64" => {
            put(0, b"\x7fELF");
            put(18, &(if platform == "linux-x64" { 0x3e_u16 } else { 0xb7 }).to_le_bytes());
        }
        "darwin-x64" | "darwin-arm64" => {
            put(0, &0xfeed_facf_u32.to_le_bytes());
            put(4, &(if platform == "darwin-x64" { 0x0100_0007_u32 } else { 0x0100_000c }).to_le_bytes());
        }
        "win32-x64" => {
            put(0, b"MZ");
            put(0x3c, &64_u32.to_le_bytes());
            bytes.extend(b"PE\0\0\x64\x86");
        }
        other => panic!("{other} is none of ours"),
    }
    bytes
}

/// A program for a Mac that loads these libraries.
pub(crate) fn mac_program(libraries: &[&str]) -> Vec<u8> {
    let mut bytes = program("darwin-arm64");
    bytes.truncate(32);
    bytes[16..20].copy_from_slice(&u32::try_from(libraries.len()).unwrap().to_le_bytes());
    for library in libraries {
        let size = u32::try_from(24 + library.len() + 1).unwrap();
        for field in [0xc, size, 24, 0, 0, 0] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(library.as_bytes());
        bytes.push(0);
    }
    bytes
}

/// The head of a PNG, filled up to a number of bytes.
pub(crate) fn png(width: u32, height: u32, length: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.resize(length, 0);
    bytes
}

/// A package as the marketplace and SiYuan want it, with one sidecar.
pub(crate) fn package() -> Package {
    let version = env!("CARGO_PKG_VERSION");
    let repository = env!("CARGO_PKG_REPOSITORY");
    let texts = |en: &str, zh: &str| {
        format!(r#"{{ "default": "{en}", "en": "{en}", "en_US": "{en}", "zh-CN": "{zh}", "zh_CN": "{zh}" }}"#)
    };
    let plugin = format!(
        r#"{{
            "name": "siyuan-mcp-puppy", "author": "siyuan-mcp-puppy", "url": "{repository}",
            "version": "{version}", "minAppVersion": "3.7.0", "disabledInPublish": true,
            "backends": ["all"], "frontends": ["all"], "keywords": ["MCP"],
            "displayName": {}, "description": {}, "readme": {}
        }}"#,
        texts("MCP Puppy", "MCP 小狗"),
        texts("A puppy at work", "小狗干活"),
        texts("README.md", "README.zh-CN.md"),
    );
    let script = format!(
        "const siyuan = require(\"siyuan\");\nconst VERSION = \"{version}\";\n\
         module.exports = class extends siyuan.Plugin {{\n  \
         onload() {{ return this.i18n.open + this.i18n.cancel; }}\n  onunload() {{ this.dispose(); }}\n  \
         dispose() {{}}\n  uninstall() {{}}\n}};\n"
    );
    let mut files = Files::default();
    let mut put = |name: &str, text: &str| files.put(name, text.as_bytes().to_vec());
    put("plugin.json", &plugin);
    put("index.js", &script);
    put("index.css", ".pup { color: red }");
    put("panel.css", ".pup-panel { color: red }");
    put("panel.zh.txt", "PanelWords\nMCP 小狗\n");
    put("playground.css", ".pup-playground { color: red }");
    put("agents.css", ".pup-runs { color: red }");
    for name in ["README.md", "README.zh-CN.md", "THIRD-PARTY-LICENSES.txt"] {
        put(name, "# MCP Puppy");
    }
    put("LICENSE", "MIT License\n\nCopyright (c) 2026 the siyuan-mcp-puppy authors\n");
    for name in ["en", "en_US"] {
        put(&format!("i18n/{name}.json"), r#"{ "open": "Open", "cancel": "Cancel" }"#);
    }
    for name in ["zh-CN", "zh_CN"] {
        put(&format!("i18n/{name}.json"), r#"{ "open": "打开", "cancel": "取消" }"#);
    }
    for name in ["puppy", "panel", "playground", "agents", "actions"] {
        put(&format!("{name}.js"), "export default function init() {}");
        put(&format!("{name}_bg.wasm"), "\0asm\u{1}\0\0\0");
    }
    for name in ["assistant", "fetch", "keeper", "options", "place", "program", "record"] {
        put(&format!("desktop/{name}.js"), "export const name = 1;");
    }
    for name in [
        "ai", "channel", "confirm", "hand", "late", "menu", "native", "own", "program", "removal", "screen",
        "top", "tree", "walk",
    ] {
        put(&format!("page/{name}.js"), "export const name = 1;");
    }
    files.put("icon.png", png(160, 160, 100));
    files.put("preview.png", png(1024, 768, 100));
    let mut sidecars = Sidecars::new(version);
    sidecars.put_in(&mut files, "linux-x64", &program("linux-x64"), Effort::Little).unwrap();
    sidecars.finish(&mut files).unwrap();
    archive::read(&archive::write(&files, 1_790_000_000, &[]).unwrap()).unwrap()
}
