//! The platforms that the package has sidecars for.

use anyhow::{Context as _, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    /// The name in Node: `process.platform` and `process.arch`.
    pub(crate) node: &'static str,
    /// The name in Rust. On Linux without a C library of the system, so that every distribution runs it.
    pub(crate) target: &'static str,
    os: &'static str,
    arch: &'static str,
}

impl Platform {
    pub(crate) const ALL: [Self; 5] = [
        Self { node: "linux-x64", target: "x86_64-unknown-linux-musl", os: "linux", arch: "x86_64" },
        Self { node: "linux-arm64", target: "aarch64-unknown-linux-musl", os: "linux", arch: "aarch64" },
        Self { node: "win32-x64", target: "x86_64-pc-windows-gnu", os: "windows", arch: "x86_64" },
        Self { node: "darwin-x64", target: "x86_64-apple-darwin", os: "macos", arch: "x86_64" },
        Self { node: "darwin-arm64", target: "aarch64-apple-darwin", os: "macos", arch: "aarch64" },
    ];

    /// This machine's.
    pub(crate) fn here() -> Result<Self> {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let here = Self::ALL.into_iter().find(|it| (it.os, it.arch) == (os, arch));
        here.with_context(|| format!("the package has no sidecar for {arch} {os}"))
    }

    /// Linux on this machine's processor, as containers run it.
    pub(crate) fn linux_here() -> Result<Self> {
        let arch = std::env::consts::ARCH;
        let here = Self::ALL.into_iter().find(|it| (it.os, it.arch) == ("linux", arch));
        here.with_context(|| format!("there is no program for containers on {arch}"))
    }

    /// Whether programs are linked with the stubs of Apple's frameworks.
    pub(crate) fn is_apple(self) -> bool {
        self.os == "macos"
    }

    /// The flags that make its programs smaller.
    ///
    /// On x86-64 an instruction that addresses the stack is a byte shorter with a frame pointer, and the tables for
    /// unwinding need no entry for each push: 0.54 MB of the server, 0.47 of it in the tables. Programs for macOS have
    /// frame pointers anyway. For arm64 and Windows the gain was not measured.
    pub(crate) fn smaller(self) -> Vec<String> {
        let gains = self.os == "linux" && self.arch == "x86_64";
        gains.then(|| "-Cforce-frame-pointers=yes".to_owned()).into_iter().collect()
    }

    /// The file name of a program.
    pub(crate) fn program(self, name: &str) -> String {
        if self.os == "windows" { format!("{name}.exe") } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rust_and_node_belong_together() {
        for platform in Platform::ALL {
            let (os, arch) = platform.node.split_once('-').unwrap();
            assert_eq!(arch == "arm64", platform.target.starts_with("aarch64-"), "{platform:?}");
            let word = match os {
                "darwin" => "-apple-darwin",
                "win32" => "-windows-",
                _ => "-linux-musl",
            };
            assert!(platform.target.contains(word), "{platform:?}");
        }
        assert_eq!(Platform::ALL[2].program("siyuan-puppy"), "siyuan-puppy.exe");
    }

    /// Only where they were measured to make the program smaller.
    #[test]
    fn only_linux_on_x86_has_frame_pointers() {
        let smaller = Platform::ALL.into_iter().filter(|it| !it.smaller().is_empty());
        assert_eq!(smaller.map(|it| it.node).collect::<Vec<_>>(), ["linux-x64"]);
    }
}
