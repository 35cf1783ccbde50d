//! The command line in the language of the terminal: Chinese where the locale says so, English for all others and for
//! programs.

use std::process::{Command, Stdio};

use expect_test::{Expect, expect, expect_file};
use regex_lite::Regex;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

#[cfg(unix)]
use crate::process::{Running, program};
#[cfg(unix)]
use crate::pty::Window;
use crate::world::World;

const CHINESE: &str = "zh_CN.UTF-8";
const OTHERS: [&str; 2] = ["C", "en_US.UTF-8"];

/// A person at a terminal whose locale is this one.
struct Person {
    home: TempDir,
    url: String,
}

impl Person {
    async fn new() -> (World, Person) {
        let world = World::new().await;
        let person = Person { home: TempDir::new().unwrap(), url: world.kernel.url() };
        (world, person)
    }

    /// The two outputs of the program and its exit code.
    fn reads(&self, locale: &str, words: &[&str]) -> (String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let others = ["SIYUAN_", "XDG_", "CLAUDE_", "CODEX_", "LC_", "LANG", "CLICOLOR", "NO_COLOR"];
        for name in names.filter(|it| others.iter().any(|of| it.starts_with(of))) {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).env("APPDATA", self.home.path()).env("LANG", locale);
        command.env("SIYUAN_API_URL", &self.url).env("COLUMNS", "80").stdin(Stdio::null());
        let output = command.args(words).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (text, output.status.code().unwrap())
    }
}

fn is_han(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// The lines that hold an English sentence: several words in a row that are neither a command nor a name.
fn english(text: &str) -> Vec<String> {
    let command = Regex::new(r"`[^`]*`|siyuan-puppy [a-z].*|<[^>]*>|\[[A-Z]+\]").unwrap();
    let sentence = Regex::new(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}").unwrap();
    text.lines().filter(|it| sentence.is_match(&command.replace_all(it, ""))).map(str::to_owned).collect()
}

/// Commands whose whole output is this program's own.
const OWN: [&[&str]; 17] = [
    &["doctor"],
    &["status"],
    &["notebook", "list"],
    &["notebook", "list", "--header"],
    &["list"],
    &["kernels"],
    &["config", "show"],
    &["config", "list"],
    &["install", "cursor", "--dry-run"],
    &["install", "cherry-studio"],
    &["uninstall", "cursor"],
    &["--help"],
    &["http", "--help"],
    &["stdio", "--help"],
    &["config", "--help"],
    &["install", "--help"],
    &["fs", "--help"],
];

/// Nothing that a command prints for a person is an English sentence, and no other locale has a Chinese letter.
#[tokio::test(flavor = "multi_thread")]
async fn commands_speak_the_language_of_the_terminal() {
    let (_world, person) = Person::new().await;
    for words in OWN {
        let (chinese, code) = person.reads(CHINESE, words);
        assert!(chinese.contains(is_han), "{words:?}: {chinese}");
        assert_eq!(english(&chinese), Vec::<String>::new(), "{words:?}: {chinese}");
        let wide = |it: &&str| it.width() > 80 && it.contains(is_han);
        let is_help = words.last() == Some(&"--help");
        assert_eq!(chinese.lines().find(|it| is_help && wide(it)), None, "{words:?}");
        for locale in OTHERS {
            let (text, other) = person.reads(locale, words);
            assert!(!text.contains(is_han) && other == code, "{words:?}: {text}");
        }
    }
}

/// Programs read the same in every locale.
#[tokio::test(flavor = "multi_thread")]
async fn json_is_the_same_in_every_locale() {
    let (_world, person) = Person::new().await;
    for words in [
        &["doctor", "--json"][..],
        &["notebook", "list", "--json"],
        &["fs", "read", "/Garden/Nowhere", "--json"],
        &["list", "--json"],
        &["config", "show", "--json"],
        &["actions", "--json"],
        &["install", "cursor", "--dry-run", "--json"],
    ] {
        let english = person.reads("C", words);
        assert!(!english.0.contains(is_han), "{words:?}: {}", english.0);
        assert_eq!(person.reads(CHINESE, words), english, "{words:?}");
    }
}

/// A server that starts on a Chinese terminal says so in Chinese. A program that starts one looks for the English line.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_in_the_language_of_its_terminal() {
    let world = World::new().await;
    let home = TempDir::new().unwrap();
    let open = |words: &[&str]| {
        let set = |it: pty_process::blocking::Command| it.env("LC_ALL", CHINESE).env("HOME", home.path());
        Window::of(&world, (24, 240), words, set)
    };
    let mut window = open(&["http", "--port", "0", "--tls", "generate"]);
    window.wait("siyuan-puppy 正在监听 https://127.0.0.1:");
    window.wait("提示：证书 ");
    window.wait("；请让客户端信任它");
    window.wait("提示：正在服务于 ");
    let mut command = program(&world.kernel.url());
    let server = Running::start(command.env("LC_ALL", CHINESE));
    let port = server.url.rsplit_once(':').unwrap().1.strip_suffix("/mcp").unwrap();
    for (words, due) in [
        (
            &["http", "--port", port][..],
            format!("错误：端口 {port} 被 siyuan-puppy（进程 {}）占用。", server.child.id()),
        ),
        (&["http", "--host", "0.0.0.0", "--port", "0"], "错误：在本机之外监听需要令牌".to_owned()),
        (&["http", "--allow-host", "*"], "错误：--allow-host 的值应为名称".to_owned()),
        (&["stdio", "--parent-pid", "999999999"], "错误：没有可监视的进程 999999999；".to_owned()),
    ] {
        let (shown, code) = open(words).end();
        assert!(code == Some(1) && shown.contains(&due), "{words:?}: {shown}");
        assert_eq!(english(&shown), Vec::<String>::new(), "{words:?}: {shown}");
    }
}

/// B-086: errors begin alike, in the language of the terminal.
#[tokio::test(flavor = "multi_thread")]
async fn errors_are_told_in_chinese() {
    let (_world, person) = Person::new().await;
    let check = |words: &[&str], due: Expect| {
        let (text, code) = person.reads(CHINESE, words);
        due.assert_eq(&format!("{code}\n{text}"));
    };
    check(
        &["fs", "read", "/Garden/Nowhere"],
        expect![[r#"
        1
        错误：没有这篇文档：/Garden/Nowhere。
          列出：siyuan-puppy fs list /Garden
    "#]],
    );
    check(
        &["fs", "tree", "--depth", "99"],
        expect![[r#"
        2
        错误：参数有误。
          --depth must be a whole number from 1 to 8.
          可以试试：siyuan-puppy fs tree --depth 8
    "#]],
    );
    check(
        &["fs", "write", "/Reading/New", "--markdown", "x"],
        expect![[r#"
        5
        错误：此操作需要“Reading”的权限为读写，目前为只读。可在思源中提高：MCP 小狗 › 权限。
    "#]],
    );
    check(
        &["fs", "tree", "--url", "http://127.0.0.1:9"],
        expect![[r#"
        3
        错误：思源没有响应：其地址上没有程序在监听。请启动思源，或用 --url 设置其地址。
    "#]],
    );
    check(
        &["fs", "tree", "--dpth", "9"],
        expect![[r#"
        2
        错误：没有 --dpth 这个参数
          提示：是否想输入 --depth？

        用法：siyuan-puppy fs tree --depth <N> [PATH]

        更多信息请使用 --help。
    "#]],
    );
    check(
        &["notebok", "list"],
        expect![[r#"
        2
        错误：没有 notebok 这个命令
          提示：是否想输入 notebook？

        用法：siyuan-puppy [OPTIONS] <COMMAND>

        更多信息请使用 --help。
    "#]],
    );
    check(
        &["fs", "read"],
        expect![[r#"
        2
        错误：缺少必需的参数：<PATH>

        用法：siyuan-puppy fs read <PATH>

        更多信息请使用 --help。
    "#]],
    );
    check(
        &["config", "get", "url", "--profile", "office"],
        expect![[r#"
        2
        错误：没有名为 office 的配置。`siyuan-puppy config list` 会列出全部配置。
    "#]],
    );
    check(
        &["document", "remove", "20250101000000-abcdefg"],
        expect![[r#"
            1
            错误：没有找到 --ids 20250101000000-abcdefg。它可能已删除、不可访问，或所在的笔记本已在思源中关闭。
        "#]],
    );
}

/// Help in full, for whoever reads a change of it.
#[tokio::test(flavor = "multi_thread")]
async fn help_is_chinese() {
    let (_world, person) = Person::new().await;
    let mut page = String::new();
    for words in [&["--help"][..], &["fs", "-h"], &["document", "remove", "-h"], &["health", "--help"]] {
        page.push_str(&format!("$ siyuan-puppy {}\n{}\n", words.join(" "), person.reads(CHINESE, words).0));
    }
    expect_file!["golden/printed/help-chinese.txt"].assert_eq(&page);
}

/// The levels have the names that the panel gives them.
#[tokio::test(flavor = "multi_thread")]
async fn levels_are_named_as_in_the_panel() {
    let (_world, person) = Person::new().await;
    for (locale, due) in [("C", ["Read", "Write", "Delete"]), (CHINESE, ["只读", "读写", "读写删"])] {
        let (text, _) = person.reads(locale, &["notebook", "list"]);
        for (notebook, level) in ["Reading", "Garden", "Scratch"].into_iter().zip(due) {
            let line = text.lines().find(|it| it.contains(notebook)).unwrap();
            assert!(line.split_whitespace().any(|it| it == level), "{line}");
        }
    }
    let (text, _) = person.reads(CHINESE, &["doctor"]);
    assert!(text.contains("不可访问 1 个、只读"), "{text}");
}
