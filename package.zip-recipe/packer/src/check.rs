//! The rules for a package: the marketplace's, those of SiYuan's kernel where it installs and loads, and our own.

mod code;
mod host;
mod names;
mod pictures;
mod plugin_json;
mod programs;
mod readmes;
mod sources;
mod unload;
mod words;

use crate::archive::Package;
use crate::plugin::Files;

/// The expectations of this check in addition to the rules.
#[derive(Default)]
pub(crate) struct Expectations {
    /// The platforms whose sidecars must be there, and no others; empty for any.
    pub(crate) platforms: Vec<String>,
    /// The version that the marketplace lists now.
    pub(crate) listed: Option<semver::Version>,
    /// Whether every tool and action must have Chinese, as in a release.
    pub(crate) translated: bool,
    /// Whether it is the package without programs.
    pub(crate) light: bool,
    /// The files that such a package lets the page download, where they are at hand.
    pub(crate) downloads: Option<Files>,
}

/// Findings, a sentence each.
type Findings = Vec<String>;

/// Everything that is wrong with a package.
pub(crate) fn check(package: &Package, wanted: &Expectations) -> Findings {
    let rules = [
        names::files_are_there_and_no_others(package),
        names::names_work_on_every_system(package),
        names::sizes_are_within_limits(package, wanted),
        names::times_are_those_of_the_release(package),
        plugin_json::keys_are_known(package),
        plugin_json::identity_is_ours(package),
        plugin_json::versions_agree(package, wanted),
        plugin_json::languages_are_complete(package),
        plugin_json::lists_are_lists(package),
        plugin_json::names_are_not_the_hosts(package),
        readmes::links_are_absolute(package),
        readmes::preview_is_not_repeated(package),
        pictures::sizes_are_those_of_the_marketplace(package),
        words::languages_have_the_same_words(package),
        words::words_are_those_of_the_scripts(package),
        words::texts_are_of_their_language(package),
        words::actions_have_chinese(package, wanted),
        code::script_is_one_that_the_host_runs(package),
        code::styles_load_nothing(package),
        code::modules_are_wasm(package),
        host::styles_reach_ours_only(package),
        host::icon_is_our_own(package),
        sources::scripts_are_readable(package),
        sources::scripts_have_no_leftovers(package),
        sources::scripts_name_no_other_site(package),
        sources::licence_names_its_owner(package),
        unload::what_began_ends(package),
        unload::nothing_is_written_at_the_end(package),
        programs::sidecars_are_those_of_the_manifest(package, wanted),
    ];
    rules.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sidecars::{Effort, Sidecars};
    use crate::{links, sample, sidecars};

    /// Everything that is packed as it lies in this repository; only what is built comes from the sample.
    #[test]
    fn the_plugin_of_this_repository_is_good() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut package = sample::package();
        let modules = ["actions", "panel", "playground", "puppy", "agents"]
            .map(|it| [format!("{it}.js"), format!("{it}_bg.wasm")]);
        let is_module = |name: &str| modules.iter().flatten().any(|it| it == name);
        let is_built = |name: &str| {
            is_module(name)
                || ["panel.zh.txt", "THIRD-PARTY-LICENSES.txt"].contains(&name)
                || name.starts_with(sidecars::FOLDER)
        };
        let sample: Vec<String> = package.files.names().map(str::to_owned).collect();
        sample.iter().filter(|name| !is_built(name)).for_each(|name| package.files.remove(name));
        for folder in ["desktop", "i18n", "page"] {
            for (name, bytes) in Files::load(&root.join(folder)).unwrap().iter() {
                package.files.put(&format!("{folder}/{name}"), bytes.to_vec());
            }
        }
        for name in names::FILES.iter().filter(|name| !is_built(name) && !name.contains('/')) {
            package.files.put(name, std::fs::read(root.join(name)).unwrap());
        }
        links::lead_out(&mut package.files);
        assert_eq!(check(&package, &Expectations::default()), Vec::<String>::new());
    }

    /// The findings about the sample after a change.
    fn found(change: impl FnOnce(&mut Package)) -> String {
        let mut package = sample::package();
        change(&mut package);
        check(&package, &Expectations::default()).join("\n")
    }

    /// As [`found`], after a text of a file was replaced.
    fn replaced(name: &str, old: &str, new: &str) -> String {
        found(|package| {
            let text = package.files.text(name);
            assert!(text.contains(old), "{name} does not contain {old}");
            let text = text.replace(old, new);
            package.files.put(name, text.into_bytes());
        })
    }

    /// A broken package has one finding, with these words.
    #[track_caller]
    fn says(found: &str, words: &str) {
        assert!(found.contains(words), "expected `{words}`, found:\n{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }

    #[test]
    fn the_sample_is_a_good_package() {
        assert_eq!(found(|_| {}), "");
    }

    #[test]
    fn missing_and_superfluous_files_are_found() {
        for name in ["README.md", "LICENSE", "index.css", "i18n/zh_CN.json", "desktop/keeper.js"] {
            let found = found(|it| it.files.remove(name));
            assert!(found.contains(&format!("{name} is missing")), "{found}");
        }
        for name in
            ["index.js.map", "notes.txt", "node_modules/a.js", "desktop/more.js", "sidecar/siyuan-puppy"]
        {
            says(&found(|it| it.files.put(name, b"x".to_vec())), &format!("{name} does not belong"));
        }
    }

    #[test]
    fn names_that_some_system_refuses_are_found() {
        let named = |name: &str| found(|it| it.files.put(name, b"x".to_vec()));
        for (name, words) in [
            ("i18n\\de.json", "`/`"),
            (" README.md", "space"),
            ("README.md ", "space"),
            ("a/con.txt", "Windows keeps"),
            ("Aux", "Windows keeps"),
            (".gitignore", "hidden"),
            ("a/.DS_Store", "hidden"),
            ("notes.tmp", "temporary"),
            ("readme.md", "differ only in case"),
            ("a/../index.js", "leads"),
            ("/index.js", "leads"),
            ("ends.", "dot"),
            ("why?.md", "character"),
            ("狗.md", "character"),
        ] {
            assert!(named(name).contains(words), "{name}: {}", named(name));
        }
    }

    /// B-320: 25 MB in all; the kernel installs at most 128 MiB and 10,000 files, which is more.
    #[test]
    fn packages_that_are_too_large_are_found() {
        says(&found(|it| it.size = 25_000_001), "at most 25000000");
        let many =
            found(|it| (0..10_000).for_each(|n| it.files.put(&format!("i18n/{n}.json"), b"{}".to_vec())));
        assert!(many.contains("10000 files"), "{}", many.lines().next().unwrap());
    }

    /// SiYuan's sync takes a file of the same name and time for the same file.
    #[test]
    fn times_that_would_hide_an_update_from_sync_are_found() {
        let time = |year| zip::DateTime::from_date_and_time(year, 1, 1, 0, 0, 0).ok();
        says(&found(|it| it.moments = vec![time(1980)]), "time of the release");
        says(&found(|it| it.moments = vec![None]), "time of the release");
        says(&found(|it| it.moments.push(time(2030))), "one time");
    }

    #[test]
    fn unknown_keys_of_plugin_json_are_found() {
        says(&replaced("plugin.json", "\"keywords\"", "\"tags\": [], \"keywords\""), "`tags`");
        says(&replaced("plugin.json", "\"keywords\"", "\"i18n\": [], \"keywords\""), "`i18n`");
    }

    #[test]
    fn broken_plugin_json_is_found() {
        let broken = found(|it| it.files.put("plugin.json", b"{,}".to_vec()));
        assert!(broken.contains("plugin.json is no object"), "{broken}");
    }

    #[test]
    fn a_foreign_identity_is_found() {
        says(&replaced("plugin.json", "\"name\": \"siyuan-mcp-puppy\"", "\"name\": \"puppy\""), "`name`");
        says(&replaced("plugin.json", "\"author\": \"siyuan-mcp-puppy\"", "\"author\": \" \""), "`author`");
        let url = env!("CARGO_PKG_REPOSITORY");
        says(&replaced("plugin.json", url, &format!("{url}/")), "`url`");
        says(&replaced("plugin.json", url, "https://example.org"), "`url`");
        let switch = "\"disabledInPublish\": true";
        says(&replaced("plugin.json", switch, "\"disabledInPublish\": \"true\""), "`disabledInPublish`");
    }

    #[test]
    fn versions_that_do_not_agree_are_found() {
        let version = env!("CARGO_PKG_VERSION");
        let key = format!("\"version\": \"{version}\"");
        says(&replaced("plugin.json", &key, "\"version\": \"99.0.0\""), "plugin.json names version 99.0.0");
        says(&replaced("plugin.json", &key, &format!("\"version\": \"v{version}\"")), "no version");
        says(&replaced("plugin.json", "\"3.7.0\"", "\"3.7\""), "`minAppVersion`");
        says(&replaced("plugin.json", "\"3.7.0\"", "\"v3.7.0\""), "`minAppVersion`");
        says(&replaced("index.js", version, "99.0.0"), "index.js");
        says(&replaced("sidecar/manifest.json", version, "99.0.0"), "sidecar/manifest.json");
    }

    #[test]
    fn a_version_must_grow() {
        let with = |listed: &str| {
            let wanted = Expectations { listed: Some(listed.parse().unwrap()), ..Expectations::default() };
            check(&sample::package(), &wanted)
        };
        assert!(with("0.0.1").is_empty());
        for listed in [env!("CARGO_PKG_VERSION"), "99.0.0"] {
            says(&with(listed).join("\n"), "must be higher");
        }
    }

    #[test]
    fn languages_that_some_host_misses_are_found() {
        says(&replaced("plugin.json", "\"zh_CN\": \"MCP 小狗\"", "\"zh_TW\": \"MCP 小狗\""), "displayName");
        says(&replaced("plugin.json", "\"zh_CN\": \"MCP 小狗\"", "\"zh_CN\": \"MCP\""), "differ");
        says(&replaced("plugin.json", "\"zh_CN\": \"小狗干活\"", "\"zh_CN\": 1"), "description");
        says(
            &replaced("plugin.json", "\"default\": \"README.md\"", "\"default\": \"README.txt\""),
            "README.txt",
        );
        says(
            &replaced("plugin.json", "\"default\": \"README.md\"", "\"default\": \"../README.md\""),
            "../README.md",
        );
        says(&replaced("plugin.json", "\"description\"", "\"funding\""), "description");
    }

    #[test]
    fn lists_of_another_shape_are_found() {
        let all = "\"backends\": [\"all\"]";
        says(&replaced("plugin.json", all, "\"backends\": [\"all\", \"linux\"]"), "stands alone");
        says(&replaced("plugin.json", all, "\"backends\": \"all\""), "`backends`");
        says(&replaced("plugin.json", all, "\"backends\": [\"beos\"]"), "beos");
        says(&replaced("plugin.json", "\"keywords\": [\"MCP\"]", "\"keywords\": [1]"), "`keywords`");
    }

    #[test]
    fn relative_links_and_the_preview_in_a_readme_are_found() {
        let readme = |text: &str| found(|it| it.files.put("README.zh-CN.md", text.into()));
        assert_eq!(readme("# 小狗\n\n[more](https://example.org/docs) and [here](#小狗)"), "");
        says(&readme("[licence](LICENSE)"), "links to LICENSE");
        says(&readme("<img src=\"docs/a.png\">"), "docs/a.png");
        says(&readme("![It](https://example.org/preview.png)"), "preview.png once more");
    }

    #[test]
    fn names_that_the_marketplace_refuses_are_found() {
        let author = "\"author\": \"siyuan-mcp-puppy\"";
        says(&replaced("plugin.json", author, "\"author\": \"ana\""), "owner of the repository");
        says(&replaced("plugin.json", "\"MCP\"", "\"SiYuan notes\""), "keywords");
        says(&replaced("plugin.json", "\"MCP\"", "\"思源\""), "keywords");
        let named = replaced("plugin.json", "\"MCP Puppy\"", "\"Puppy for SiYuan\"");
        says(&named, "displayName");
        says(&replaced("plugin.json", "\"keywords\"", "\"funding\": {}, \"keywords\""), "funding");
    }

    #[test]
    fn texts_of_another_language_are_found() {
        let en = "i18n/en.json";
        let both = found(|it| {
            for name in [en, "i18n/en_US.json"] {
                it.files.put(name, "{ \"open\": \"打开\", \"cancel\": \"Cancel\" }".into());
            }
        });
        says(&both, "`open` in i18n/en.json is not English");
        let chinese = found(|it| {
            for name in ["i18n/zh-CN.json", "i18n/zh_CN.json"] {
                it.files.put(name, "{ \"open\": \"Open\", \"cancel\": \"取消\" }".into());
            }
        });
        says(&chinese, "`open` in i18n/zh-CN.json is not Chinese");
    }

    #[test]
    fn scripts_that_reviewers_refuse_are_found() {
        let script = |text: &str| found(|it| it.files.put("page/menu.js", text.into()));
        assert_eq!(script("retrieval(1); const a = `http://127.0.0.1:${port}`;\n"), "");
        says(
            &script(&format!(
                "const a = 1;\nconst b = \"{}\";\nconst c = \"{}\";",
                "b".repeat(200),
                "c".repeat(200)
            )),
            "minified",
        );
        for word in ["eval(a);", "new Function(a);", "console.log(a);", "debugger;", "document.write(a);"] {
            says(&script(word), "page/menu.js has `");
        }
        says(&script("import(\"https://example.org/a.js\");"), "names example.org");
        says(&found(|it| it.files.put("LICENSE", b"MIT".to_vec())), "no year and owner");
    }

    #[test]
    fn what_outlives_the_plugin_is_found() {
        let script = |text: &str| found(|it| it.files.put("page/menu.js", text.into()));
        for (began, end) in [
            ("document.addEventListener(\"click\", open);", "document.removeEventListener(\"click\", open);"),
            (
                "for (const kind of KEYS) window.addEventListener(kind, guard, true);",
                "removeEventListener(kind, guard, true);",
            ),
            ("addEventListener(\"resize\", home);", "removeEventListener(\"resize\", home);"),
            ("const seen = new MutationObserver(draw);", "seen.disconnect();"),
            ("this.seen = new ResizeObserver(draw);", "this.seen.disconnect();"),
            ("setInterval(look, 9);", "clearInterval(look);"),
            ("const socket = new WebSocket(url);", "socket.close();"),
            ("this.eventBus.on(\"open-menu\", add);", "this.eventBus.off(\"open-menu\", add);"),
        ] {
            assert_eq!(script(&format!("{began}\n{end}\n")), "", "{began}");
            says(&script(&format!("{began}\n")), "page/menu.js begins");
        }
        says(&script("seen(new MutationObserver(draw));"), "never ends it");
        assert_eq!(script("button.addEventListener(\"click\", open);\n"), "", "it goes with its element");
    }

    #[test]
    fn writes_at_the_end_of_the_plugin_are_found() {
        let unload = "onunload() {";
        for write in
            ["this.saveData('a', 1);", "if (a) { this.removeData('a'); }", "fetch('/api/file/putFile');"]
        {
            says(&replaced("index.js", unload, &format!("{unload} {write}")), "nothing is written there");
        }
        assert_eq!(replaced("index.js", "onload() {", "onload() { this.saveData('a', 1);"), "");
        says(&replaced("index.js", "onunload", "ondestroy"), "index.js has no `onunload()`");
        says(&replaced("index.js", "uninstall", "remove"), "index.js has no `uninstall()`");
    }

    #[test]
    fn styles_of_the_host_are_found() {
        let styled = |text: &str| found(|it| it.files.put("panel.css", text.into()));
        let ours = "/* a, b { } */ .pup-a:is(.b, .c), [data-x=\"{,}\"] .pup-b { color: red; .dog { top: 0 } }\n\
                    @media (pointer: coarse) { .pup-a { top: 0 } } @keyframes pup-in { from { top: 0 } 50% { top: 1px } }";
        assert_eq!(styled(ours), "");
        for (text, words) in [
            (".protyle { color: red }", "`.protyle`"),
            (".pup-a, .b3-button { top: 0 }", "`.b3-button`"),
            (":root { --b3-theme-primary: red }", "`:root`"),
            ("@media print { body { top: 0 } }", "`body`"),
            (".pup-a { top: 0 } .layout { top: 0 }", "`.layout`"),
            ("@keyframes spin { from { top: 0 } }", "`@keyframes spin`"),
        ] {
            says(&styled(text), words);
        }
        let button = "onload() { this.addTopBar({ id: \"a\", icon: \"iconSettings\" });";
        says(&replaced("index.js", "onload() {", button), "iconSettings");
    }

    #[test]
    fn pictures_of_another_size_are_found() {
        says(&found(|it| it.files.put("icon.png", sample::png(128, 128, 100))), "icon.png is 128×128");
        says(&found(|it| it.files.put("icon.png", sample::png(160, 160, 20_481))), "20480");
        says(&found(|it| it.files.put("preview.png", sample::png(1024, 768, 204_801))), "204800");
        says(&found(|it| it.files.put("preview.png", b"GIF89a".to_vec())), "no PNG");
    }

    /// B-327.
    #[test]
    fn words_that_one_language_lacks_are_found() {
        let german = |it: &mut Package| it.files.put("i18n/zh-CN.json", br#"{ "open": "x" }"#.to_vec());
        let lacks = found(german);
        assert!(lacks.contains("zh-CN.json lacks `cancel`"), "{lacks}");
        let empty =
            found(|it| it.files.put("i18n/en_US.json", br#"{ "open": "", "cancel": "Cancel" }"#.to_vec()));
        assert!(empty.contains("en_US.json has no text for `open`"), "{empty}");
        let other =
            found(|it| it.files.put("i18n/en_US.json", br#"{ "open": "O", "cancel": "C" }"#.to_vec()));
        says(&other, "differs from");
        says(&replaced("index.js", "this.i18n.open", "this.i18n.shut + this.i18n.open"), "`shut`");
        says(&replaced("index.js", "this.i18n.open", "'Open'"), "`open`");
        assert_eq!(replaced("index.js", "this.i18n.open", "{ langKey: \"open\" }"), "");
        says(&replaced("index.js", "this.i18n.open", "{ langKey: \"shut\" } + this.i18n.open"), "`shut`");
    }

    /// Only a release needs all Chinese; a page shows the rest in English.
    #[test]
    fn actions_without_chinese_are_found_in_a_release() {
        let with = |texts: &str, translated: bool| {
            let mut package = sample::package();
            package.files.put("panel.zh.txt", texts.into());
            check(&package, &Expectations { translated, ..Expectations::default() }).join("\n")
        };
        let texts = "PanelWords\nMCP 小狗\n\nActions\ntag\t标签\t标签和书签。\n";
        assert_eq!(with(texts, true), "");
        let lacking = format!("{texts}tag.list\n");
        assert_eq!(with(&lacking, false), "");
        says(&with(&lacking, true), "tag.list has no Chinese");
        says(&with("PanelWords\nMCP 小狗\n", true), "no section `Actions`");
    }

    #[test]
    fn scripts_that_the_host_cannot_run_are_found() {
        says(&replaced("index.js", "const siyuan", "import x from 'x';\nconst siyuan"), "`import`");
        says(
            &replaced("index.js", "module.exports =", "export default class {}\nmodule.exports ="),
            "`export`",
        );
        says(
            &replaced("index.js", "module.exports =", "import.meta.url;\nmodule.exports ="),
            "`import.meta`",
        );
        says(&replaced("index.js", "module.exports =", "x ="), "module.exports");
        says(&replaced("index.js", "siyuan.Plugin", "Object"), "Plugin");
        let torn = found(|it| it.files.put("index.js", b"\xff\xfe".to_vec()));
        assert!(torn.contains("index.js is not UTF-8"), "{torn}");
    }

    #[test]
    fn styles_that_load_something_are_found() {
        let styled = |text: &str| found(|it| it.files.put("index.css", text.into()));
        assert_eq!(styled(".pup { background: url(\"data:image/png;base64,AA==\"); filter: url(#f) }"), "");
        says(&styled(".pup { background: url(cat.png) }"), "cat.png");
        says(&styled(".pup { background: url('https://example.org/a.png') }"), "example.org");
        says(&styled("@import 'other.css';"), "@import");
    }

    #[test]
    fn modules_that_are_no_wasm_are_found() {
        says(&found(|it| it.files.put("puppy_bg.wasm", b"<html>".to_vec())), "puppy_bg.wasm");
        says(&found(|it| it.files.put("panel.js", Vec::new())), "panel.js is empty");
    }

    #[test]
    fn sidecars_that_do_not_fit_are_found() {
        let manifest = "sidecar/manifest.json";
        says(&replaced(manifest, "\"size\": 64", "\"size\": 63"), "does not hold");
        says(&replaced(manifest, "\"linux-x64\"", "\"linux-arm64\""), "is a program for linux-x64");
        says(&replaced(manifest, "\"linux-x64\"", "\"sunos-x64\""), "sunos-x64");
        let torn = found(|it| it.files.put(manifest, b"{}".to_vec()));
        assert!(torn.contains("cannot be read"), "{torn}");
        let loading = |libraries: &[&str]| {
            found(|package| {
                let mut sidecars = Sidecars::new(env!("CARGO_PKG_VERSION"));
                let program = sample::mac_program(libraries);
                sidecars.put_in(&mut package.files, "darwin-arm64", &program, Effort::Little).unwrap();
                sidecars.finish(&mut package.files).unwrap();
            })
        };
        let kit = "/System/Library/Frameworks/IOKit.framework/Versions/A/IOKit";
        let of_the_sample = "is not in the manifest";
        assert!(loading(&[kit]).contains("darwin-arm64 loads /System/Library/Frameworks/IOKit"));
        says(&loading(&["/usr/lib/libSystem.B.dylib"]), of_the_sample);
        let wanted = |names: &[&str]| {
            let platforms = names.iter().map(|&it| it.to_owned()).collect();
            check(&sample::package(), &Expectations { platforms, ..Expectations::default() }).join("\n")
        };
        assert_eq!(wanted(&["linux-x64"]), "");
        says(&wanted(&["linux-x64", "win32-x64"]), "no sidecar for win32-x64");
        assert!(wanted(&["win32-x64"]).contains("linux-x64 was not asked for"));
    }
}
