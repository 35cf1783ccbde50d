//! The image for containers: what it is built from, packed for a release and unpacked below `build/` (B-326).

use super::{PROGRAM, ReleaseInputs, unpack};
use crate::cross;
use crate::house::House;
use crate::package::{self, PACKER};
use crate::papers;
use crate::platform::Platform;
use crate::process::run;
use crate::sidecar;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The folder that the image is built in, below `build/`.
const FOLDER: &str = "image";
/// That folder, packed: the image is built when a person has published the release, from what they published.
const PACKED: &str = "siyuan-mcp-puppy-image.zip";
const CONTAINERFILE: &str = "Containerfile";
/// The certificates that the image trusts.
const ROOTS: &str = "ca-certificates.crt";

/// `cargo recipe image`: the folder that an image for the processor of this machine is built in.
pub(crate) fn make(house: &House) -> Result<()> {
    let platforms = [Platform::linux_here()?];
    let moment = package::moment(house)?.to_string();
    let tools = cross::Tools::ready(house, &platforms)?;
    sidecar::build_debug(house, &[PACKER])?;
    let programs = cross::build(house, &tools, &platforms)?;
    let papers = papers::write(house, &platforms)?;
    let folder = house.fresh("image-packed")?;
    let shipping = ReleaseInputs::new(house, &folder, &papers, &moment);
    println!("{}", house.show(&shipping.image(&programs)?));
    Ok(())
}

impl ReleaseInputs<'_> {
    /// Packs what the image is built from, and unpacks it; returns the folder.
    pub(super) fn image(&self, programs: &[(Platform, PathBuf)]) -> Result<PathBuf> {
        let recipe = self.house.at("container").join(CONTAINERFILE);
        let roots = self.house.build("papers").join(ROOTS);
        run(package::packer(self.house)?.arg("roots").arg(&roots))?;
        let packed = self.pack(PACKED, &copied(programs), &[(CONTAINERFILE, &recipe), (ROOTS, &roots)])?;
        let folder = self.house.fresh(FOLDER)?;
        unpack(self.house, &packed, &folder)?;
        Ok(folder)
    }
}

/// The programs that containers run, under the names that the recipe copies.
fn copied(programs: &[(Platform, PathBuf)]) -> Vec<(String, &Path)> {
    let named = programs.iter().filter_map(|(platform, program)| {
        Some((format!("{PROGRAM}-{}", processor(*platform)?), program.as_path()))
    });
    named.collect()
}

/// The processor as builders of images call it; `None` where containers do not run the program.
fn processor(platform: Platform) -> Option<&'static str> {
    match platform.node {
        "linux-x64" => Some("amd64"),
        "linux-arm64" => Some("arm64"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::manifests;
    use std::collections::BTreeSet;

    fn recipe() -> String {
        std::fs::read_to_string(House::find().unwrap().at("container").join(CONTAINERFILE)).unwrap()
    }

    /// The lines of the recipe that begin with a word, without it.
    fn lines<'a>(recipe: &'a str, word: &str) -> Vec<&'a str> {
        recipe.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect()
    }

    /// The folder holds what the recipe copies and nothing else, for both processors.
    #[test]
    fn the_recipe_copies_everything_in_its_folder() {
        let every = Platform::ALL.map(|platform| (platform, PathBuf::new()));
        let programs: Vec<String> = copied(&every).into_iter().map(|(name, _)| name).collect();
        assert_eq!(programs, ["siyuan-puppy-amd64", "siyuan-puppy-arm64"]);
        let recipe = recipe();
        let mut copied = BTreeSet::new();
        for line in lines(&recipe, "COPY") {
            let words: Vec<&str> = line.split(' ').filter(|it| !it.starts_with("--")).collect();
            let (to, from) = words.split_last().unwrap();
            assert!(to.starts_with('/'), "{line}");
            for name in from {
                assert_eq!(name.contains('$'), line.starts_with("--chmod=0755 "), "{line}");
                copied.extend(["amd64", "arm64"].map(|it| name.replace("$TARGETARCH", it)));
            }
        }
        let due = programs.iter().map(String::as_str).chain(["LICENSE", papers::LICENCES, ROOTS]);
        assert_eq!(copied, due.map(str::to_owned).collect());
        assert!(lines(&recipe, "RUN").is_empty(), "an image for another processor would need an emulator");
        assert_eq!(lines(&recipe, "FROM"), ["scratch"]);
        let label = format!("io.modelcontextprotocol.server.name=\"{}\"", manifests::registry_name());
        assert_eq!(lines(&recipe, "LABEL"), [label]);
    }

    /// There is no shell in the image, so what it runs is the program itself, by its whole path.
    #[test]
    fn the_image_runs_its_program_as_an_unprivileged_user() {
        let recipe = recipe();
        assert_eq!(lines(&recipe, "USER"), ["65532:65532"]);
        assert_eq!(lines(&recipe, "ENTRYPOINT"), [r#"["/usr/local/bin/siyuan-puppy"]"#]);
        let health = lines(&recipe, "HEALTHCHECK").concat();
        assert!(health.ends_with(r#" CMD ["/usr/local/bin/siyuan-puppy", "health"]"#), "{health}");
        // The folder belongs to the user that is set when it is made.
        let at = |word: &str| recipe.find(&format!("\n{word} "));
        assert!(at("USER") < at("WORKDIR"), "{recipe}");
        let home = lines(&recipe, "WORKDIR").concat();
        assert!(lines(&recipe, "ENV").concat().starts_with(&format!("HOME={home} ")), "{recipe}");
    }
}
