//! What a program says of itself in its first bytes: the system and the processor that it is for.

/// The platforms of the package, as Node names them: `process.platform` and `process.arch`.
pub(crate) const PLATFORMS: [&str; 5] =
    ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/// The platform that a program runs on; `None` for one that is none of ours.
pub(crate) fn platform(program: &[u8]) -> Option<&'static str> {
    let number = |at: usize| Some(u16::from_le_bytes(program.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_le_bytes(program.get(at..at + 4)?.try_into().ok()?));
    // ELF: the machine stands behind the identification and the type.
    if program.starts_with(b"\x7fELF") {
        return match number(18)? {
            0x3e => Some("linux-x64"),
            0xb7 => Some("linux-arm64"),
            _ => None,
        };
    }
    // PE: the header of DOS names the place of the signature, and the machine follows that.
    if program.starts_with(b"MZ") {
        let at = usize::try_from(long(0x3c)?).ok()?;
        let signed = program.get(at..at.checked_add(4)?)? == b"PE\0\0";
        return (signed && number(at + 4)? == 0x8664).then_some("win32-x64");
    }
    // Mach-O of 64 bits: the processor follows the magic number.
    if long(0)? == 0xfeed_facf {
        return match long(4)? {
            0x0100_0007 => Some("darwin-x64"),
            0x0100_000c => Some("darwin-arm64"),
            _ => None,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn programs_are_told_apart_and_torn_ones_are_none() {
        for name in PLATFORMS {
            let program = sample::program(name);
            assert_eq!(platform(&program), Some(name));
            for end in 0..8 {
                assert_eq!(platform(&program[..end]), None, "{name}, {end} bytes");
            }
        }
        assert_eq!(platform(b"#!/bin/sh\necho siyuan-puppy"), None);
        assert_eq!(platform(&[b"MZ".as_slice(), &[0xff; 100]].concat()), None);
    }

    #[test]
    fn this_program_is_for_this_machine() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            other => other,
        };
        let arch = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        assert_eq!(platform(&own), Some(format!("{os}-{arch}").as_str()));
    }
}
