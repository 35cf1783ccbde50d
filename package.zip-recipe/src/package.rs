//! `cargo recipe zip` and `cargo recipe check`: makes the light and the full package, checks them, and tries the one for
//! this machine.
//!
//! SiYuan syncs the folder of a plugin to every device and keeps it in every snapshot. So the package of the marketplace is
//! the light one: it has no program, and its manifest names the file of the release that the page downloads after a yes.
//! The full one has the programs of all platforms, for people without internet.

use crate::cross;
use crate::house::House;
use crate::papers::{self, Papers};
use crate::platform::Platform;
use crate::process::{capture, run, tee};
use crate::sidecar::{self, DemoKernel};
use crate::{demo, wasm};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The program that packs, checks and unpacks.
pub(crate) const PACKER: &str = "packer";
/// The name that the marketplace looks for in a release: the light package. The one for this machine has it too.
pub(crate) const PACKAGE: &str = "package.zip";
/// The full package.
pub(crate) const FULL: &str = "package-full.zip";
/// The folder of the programs that the light package lets the page download, below `build/`.
const DOWNLOADS: &str = "downloads";
/// The folder of the package for this machine, below `build/`.
const QUICK: &str = "quick";
/// The longest that a sidecar takes to answer a command.
const ANSWER: Duration = Duration::from_secs(60);

/// Which sidecars a package has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those of all platforms.
    Whole,
    /// This machine's, as `cargo build --release` makes it.
    Quick,
}

impl Extent {
    /// Reads the arguments of `cargo recipe zip`.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self> {
        match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => Ok(Self::Whole),
            ["--quick"] => Ok(Self::Quick),
            _ => bail!("`cargo recipe zip` takes --quick or nothing"),
        }
    }

    /// The package with programs.
    fn package(self, house: &House) -> PathBuf {
        match self {
            Self::Whole => house.build(FULL),
            Self::Quick => house.build(QUICK).join(PACKAGE),
        }
    }

    /// The arguments of the check besides the platforms. The package for one machine may lack Chinese, so that a new
    /// action can be tried before it is translated.
    fn rules(self) -> Vec<&'static str> {
        match self {
            Self::Whole => vec!["--translated"],
            Self::Quick => Vec::new(),
        }
    }

    /// The platforms of its sidecars.
    fn platforms(self) -> Result<Vec<Platform>> {
        match self {
            Self::Whole => Ok(Platform::ALL.to_vec()),
            Self::Quick => Ok(vec![Platform::here()?]),
        }
    }
}

/// A light package that was made.
pub(crate) struct LightPackage {
    pub(crate) package: PathBuf,
    /// The folder of the programs that its manifest names.
    pub(crate) downloads: PathBuf,
}

/// A package with programs that was made, with what is in it.
pub(crate) struct BuiltPackage {
    pub(crate) package: PathBuf,
    pub(crate) programs: Vec<(Platform, PathBuf)>,
    pub(crate) papers: Papers,
    /// The time that its files carry.
    pub(crate) moment: String,
}

/// `cargo recipe zip [--quick]`.
pub(crate) fn zip(house: &House, arguments: &[String]) -> Result<()> {
    match Extent::parse(arguments)? {
        Extent::Whole => make_both(house).map(drop),
        Extent::Quick => make(house, Extent::Quick).map(drop),
    }
}

/// Builds everything, and packs and checks the full package and the light one.
pub(crate) fn make_both(house: &House) -> Result<(BuiltPackage, LightPackage)> {
    let made = make(house, Extent::Whole)?;
    let light = lighten(house, &made, house.build(PACKAGE), house.fresh(DOWNLOADS)?)?;
    check_light(house, &light, &Platform::ALL, &Extent::Whole.rules())?;
    println!("{}", house.show(&light.package));
    Ok((made, light))
}

/// Packs a package once more without its programs, which it puts into a folder.
fn lighten(house: &House, made: &BuiltPackage, package: PathBuf, downloads: PathBuf) -> Result<LightPackage> {
    let mut command = packer(house)?;
    command.arg("light").arg(&made.package).arg(&package).args(["--moment", &made.moment]);
    run(command.arg("--downloads").arg(&downloads))?;
    Ok(LightPackage { package, downloads })
}

/// Builds everything, packs it and checks the package.
fn make(house: &House, extent: Extent) -> Result<BuiltPackage> {
    // Checks that need no build come first: the builds take minutes.
    moment(house)?;
    let tools = match extent {
        Extent::Whole => Some(cross::Tools::ready(house, &Platform::ALL)?),
        Extent::Quick => None,
    };
    wasm::build(house)?;
    sidecar::build_debug(house, &[PACKER])?;
    let programs = match tools {
        Some(tools) => cross::build(house, &tools, &Platform::ALL)?,
        None => vec![(Platform::here()?, sidecar::build_release(house)?)],
    };
    let made = pack(house, programs, extent, extent.package(house))?;
    check_with(house, &made.package, &extent.platforms()?, &extent.rules())?;
    println!("{}", house.show(&made.package));
    Ok(made)
}

/// Packs the assembled plugin with these sidecars.
fn pack(
    house: &House,
    programs: Vec<(Platform, PathBuf)>,
    extent: Extent,
    package: PathBuf,
) -> Result<BuiltPackage> {
    if let Some(folder) = package.parent() {
        std::fs::create_dir_all(folder).context("cannot create a folder below build/")?;
    }
    let mut command = packer(house)?;
    command.arg("zip").arg(wasm::plugin(house)).arg(&package);
    if extent == Extent::Quick {
        command.arg("--fast");
    }
    let moment = moment(house)?.to_string();
    command.args(["--moment", &moment]);
    let platforms: Vec<Platform> = programs.iter().map(|(platform, _)| *platform).collect();
    let papers = papers::write(house, &platforms)?;
    command.arg("--also").arg(format!("{}={}", papers::LICENCES, papers.licences.display()));
    for (platform, program) in &programs {
        command.arg("--sidecar").arg(format!("{}={}", platform.node, program.display()));
    }
    run(&mut command)?;
    Ok(BuiltPackage { package, programs, papers, moment })
}

/// The time that packed files carry: SOURCE_DATE_EPOCH, or that of the last commit.
pub(crate) fn moment(house: &House) -> Result<i64> {
    if let Ok(seconds) = std::env::var("SOURCE_DATE_EPOCH") {
        return seconds.parse().context("SOURCE_DATE_EPOCH must be seconds since 1970");
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"]).current_dir(&house.root).stderr(Stdio::null());
    let output = capture(&mut git).context(
        "the files of a package carry the time of the last commit; outside of a clone, set SOURCE_DATE_EPOCH",
    )?;
    output.trim().parse().context("git tells no time of the last commit")
}

pub(crate) fn packer(house: &House) -> Result<Command> {
    Ok(house.command(sidecar::existing(house.program("debug", PACKER))?))
}

/// `cargo recipe check [FILE] [--full] [--downloads FOLDER] [--listed VERSION]`: packages that were made for all
/// platforms. Without a file, those of `cargo recipe zip`.
pub(crate) fn check(house: &House, arguments: &[String]) -> Result<()> {
    let wanted = Wanted::parse(arguments)?;
    sidecar::build_debug(house, &[PACKER])?;
    let mut more = Extent::Whole.rules();
    if let Some(version) = wanted.listed {
        more.extend(["--listed", version]);
    }
    let Some(file) = wanted.file else {
        let light = LightPackage { package: house.build(PACKAGE), downloads: house.build(DOWNLOADS) };
        check_light(house, &light, &Platform::ALL, &more)?;
        return check_with(house, &Extent::Whole.package(house), &Platform::ALL, &more);
    };
    if !wanted.is_full {
        more.push("--light");
    }
    if let Some(folder) = wanted.downloads {
        more.extend(["--downloads", folder]);
    }
    check_with(house, Path::new(file), &Platform::ALL, &more)
}

/// The arguments of `cargo recipe check`.
#[derive(Debug, Default, PartialEq)]
struct Wanted<'a> {
    file: Option<&'a str>,
    /// Whether the file is the package with programs.
    is_full: bool,
    downloads: Option<&'a str>,
    listed: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    fn parse(arguments: &'a [String]) -> Result<Self> {
        let mut wanted = Self::default();
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--full" => wanted.is_full = true,
                "--downloads" => {
                    wanted.downloads = Some(words.next().context("`--downloads` takes a folder")?);
                }
                "--listed" => {
                    wanted.listed = Some(words.next().context("`--listed` takes a version such as 1.2.3")?);
                }
                flag if flag.starts_with('-') => {
                    bail!(
                        "`cargo recipe check` takes a file, --full, --downloads FOLDER and --listed VERSION"
                    )
                }
                path if wanted.file.is_none() => wanted.file = Some(path),
                _ => bail!("`cargo recipe check` takes one file"),
            }
        }
        if wanted.file.is_none() && (wanted.is_full || wanted.downloads.is_some()) {
            bail!("`--full` and `--downloads` are about a file; without one, both packages are checked");
        }
        if wanted.is_full && wanted.downloads.is_some() {
            bail!("the full package lets the page download nothing: leave `--downloads` out");
        }
        Ok(wanted)
    }
}

/// Checks a light package with the files that it lets the page download.
fn check_light(house: &House, light: &LightPackage, platforms: &[Platform], more: &[&str]) -> Result<()> {
    let folder = light.downloads.to_str().context("the folder's name is not UTF-8")?;
    let more = [more, &["--light", "--downloads", folder]].concat();
    check_with(house, &light.package, platforms, &more)
}

fn check_with(house: &House, package: &Path, platforms: &[Platform], more: &[&str]) -> Result<()> {
    let mut command = packer(house)?;
    command.arg("check").arg(package).args(more);
    for platform in platforms {
        command.args(["--platform", platform.node]);
    }
    run(&mut command).with_context(|| format!("{} is not as it should be", house.show(package)))
}

/// Makes the package for this machine of what was built, and unpacks it.
pub(crate) fn make_quickly(house: &House) -> Result<()> {
    let made = pack_quickly(house, Extent::Quick.package(house))?;
    check_with(house, &made.package, &Extent::Quick.platforms()?, &Extent::Quick.rules())?;
    let plugin = house.fresh(&format!("{QUICK}/plugin"))?;
    run(packer(house)?.arg("unpack").arg(&made.package).arg(&plugin))
}

/// Packs the plugin and this machine's sidecar, built before.
fn pack_quickly(house: &House, package: PathBuf) -> Result<BuiltPackage> {
    pack(house, vec![(Platform::here()?, sidecar::shipped(house)?)], Extent::Quick, package)
}

/// The unpacked plugin of [`make_quickly`].
pub(crate) fn unpacked(house: &House) -> PathBuf {
    house.build(QUICK).join("plugin")
}

/// The step of `cargo verify`: packs once more what [`make_quickly`] packed, installs that beside the stub host, and
/// starts its sidecar. Returns what was packed.
pub(crate) fn verify(house: &House) -> Result<BuiltPackage> {
    let plugin = unpacked(house);
    let first = std::fs::read(Extent::Quick.package(house)).context("the package is missing")?;
    let again = pack_quickly(house, house.build(QUICK).join("again.zip"))?;
    if std::fs::read(&again.package).ok().as_ref() != Some(&first) {
        bail!("the same files were packed into different packages");
    }
    let downloads = house.fresh(&format!("{QUICK}/{DOWNLOADS}"))?;
    let light = lighten(house, &again, house.build(QUICK).join("light.zip"), downloads)?;
    check_light(house, &light, &Extent::Quick.platforms()?, &Extent::Quick.rules())?;
    let workspace = house.fresh(&format!("{QUICK}/workspace"))?;
    demo::install_plugin(&plugin, &workspace)?;
    let kernel = DemoKernel::with_fixture(house, &workspace, demo::SEEN)?;
    let program = house.build(QUICK).join(format!("siyuan-puppy{}", std::env::consts::EXE_SUFFIX));
    let installed = workspace.join("data/plugins").join(demo::PLUGIN);
    run(packer(house)?.arg("sidecar").arg(installed).arg(Platform::here()?.node).arg(&program))?;
    make_executable(&program)?;
    let said = capture(house.command(&program).arg("--version"))?;
    if !said.trim().ends_with(env!("CARGO_PKG_VERSION")) {
        bail!("the packed sidecar says that it is `{}`", said.trim());
    }
    let mut server = sidecar::start_http(house, &program, kernel.url(), "quick/siyuan-puppy.log")?;
    notebooks(house, &program, kernel.url())?;
    server.check()?;
    Ok(again)
}

/// Lists the notebooks with the packed sidecar.
fn notebooks(house: &House, program: &Path, kernel: &str) -> Result<()> {
    let mut lines = 0;
    let mut command = house.command(program);
    command.args(["notebook", "list"]).env("SIYUAN_API_URL", kernel).stdin(Stdio::null());
    let (status, _) = tee(Some(ANSWER), &mut command, |line| {
        println!("{line}");
        lines += 1;
    })?;
    if !status.success() || lines == 0 {
        bail!("the packed sidecar lists no notebooks");
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755))
        .context("the sidecar cannot be made executable")
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quick_is_known() {
        let parse =
            |words: &[&str]| Extent::parse(&words.iter().map(|&it| it.to_owned()).collect::<Vec<_>>());
        assert!(parse(&[]).unwrap() == Extent::Whole && parse(&["--quick"]).unwrap() == Extent::Quick);
        assert!(parse(&["--fast"]).is_err() && parse(&["--quick", "--quick"]).is_err());
    }

    #[test]
    fn a_file_is_checked_as_the_light_package_unless_it_is_said_to_be_full() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let all = words("a.zip --downloads b --listed 1.2.3");
        let wanted =
            Wanted { file: Some("a.zip"), is_full: false, downloads: Some("b"), listed: Some("1.2.3") };
        assert_eq!(Wanted::parse(&all).unwrap(), wanted);
        assert!(Wanted::parse(&words("a.zip --full")).unwrap().is_full);
        assert_eq!(Wanted::parse(&[]).unwrap(), Wanted::default());
        for wrong in ["a.zip b.zip", "--light a.zip", "--full", "--downloads b", "a.zip --listed"] {
            assert!(Wanted::parse(&words(wrong)).is_err(), "{wrong}");
        }
        assert!(Wanted::parse(&words("a.zip --full --downloads b")).is_err());
    }
}
