//! The header of a program: its system, its processor, and the libraries that it loads.

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

/// The libraries of the system that a sidecar may load on a Mac. A framework that is missing in an older or a newer
/// system would keep the program from starting, so no other comes in unseen.
pub(crate) const MAC_LIBRARIES: [&str; 3] = [
    "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
    "/System/Library/Frameworks/Security.framework/Versions/A/Security",
    "/usr/lib/libSystem.B.dylib",
];
/// The commands of Mach-O that name a library: plain, weak, and passed on to others.
const LOADS: [u32; 3] = [0xc, 0x8000_0018, 0x8000_001f];

/// The libraries that a program for a Mac loads; `None` where its list is torn.
pub(crate) fn mac_libraries(program: &[u8]) -> Option<Vec<String>> {
    let long = |at: usize| {
        let bytes = program.get(at..at.checked_add(4)?)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let mut libraries = Vec::new();
    let mut at = 32;
    for _ in 0..long(16)? {
        let (command, size) = (long(at)?, long(at + 4)?);
        let end = at.checked_add(size).filter(|_| size >= 8)?;
        if LOADS.iter().any(|it| usize::try_from(*it) == Ok(command)) {
            let name = program.get(at.checked_add(long(at + 8)?)?..end)?;
            let name = name.split(|byte| *byte == 0).next()?;
            libraries.push(String::from_utf8_lossy(name).into_owned());
        }
        at = end;
    }
    Some(libraries)
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
    fn libraries_of_a_mac_are_read_and_torn_lists_are_none() {
        let program = sample::mac_program(&MAC_LIBRARIES);
        assert_eq!(mac_libraries(&program).unwrap(), MAC_LIBRARIES);
        assert_eq!(mac_libraries(&sample::program("darwin-x64")).unwrap(), Vec::<String>::new());
        for end in 0..program.len() {
            assert_eq!(mac_libraries(&program[..end]), None, "{end} bytes");
        }
        let mut endless = program;
        endless[36..40].fill(0);
        assert_eq!(mac_libraries(&endless), None, "a command without a size");
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
