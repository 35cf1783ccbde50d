//! Skills over the protocol and from the command line (B-018).

use puppy_core::skills::Skill;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::client::{Client, EVERY};
use crate::process::program;

/// An address at which nothing listens: skills need no SiYuan.
const NOWHERE: &str = "http://127.0.0.1:9";

fn digest(text: &str) -> String {
    let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digest}")
}

/// B-018: each skill of the list can be got and read, and the file is the one that its digest promises.
#[tokio::test(flavor = "multi_thread")]
async fn every_listed_skill_is_read_as_promised() {
    for (era, way) in EVERY {
        let mut client = Client::start(era, way, NOWHERE, &[]).await;
        assert!(client.greeting["capabilities"]["extensions"]["io.modelcontextprotocol/skills"].is_object());
        let list = client.ask("skills/list", json!({})).await.unwrap();
        let skills = list["skills"].as_array().unwrap();
        assert_eq!(skills.len(), Skill::ALL.len(), "{list}");
        for (skill, own) in skills.iter().zip(Skill::ALL) {
            let uri = skill["uri"].as_str().unwrap();
            let got = client.ask("skills/get", json!({ "uri": uri })).await.unwrap();
            assert_eq!(got["skill"], *skill, "{got}");
            let file = &skill["resources"][0];
            let read = client.ask("resources/read", json!({ "uri": file["uri"] })).await.unwrap();
            let text = read["contents"][0]["text"].as_str().unwrap();
            assert_eq!((text, &file["digest"]), (own.text().as_str(), &json!(digest(text))), "{skill}");
            assert_eq!(skill["frontmatter"]["name"], own.name());
        }
        let unknown = client.ask("skills/get", json!({ "uri": "skill://none/SKILL.md" })).await.unwrap_err();
        assert!(unknown["message"].as_str().unwrap().contains(&Skill::Write.uri()), "{unknown}");
    }
}

/// B-018: the command writes what is served, and says where.
#[test]
fn skills_are_exported_as_folders() {
    let folder = tempfile::tempdir().unwrap();
    let output = program(NOWHERE).args(["skills", "export"]).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listing = String::from_utf8(output.stdout).unwrap();
    for skill in Skill::ALL {
        let file = folder.path().join(skill.name()).join(Skill::FILE);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), skill.text());
        assert!(listing.contains(file.to_str().unwrap()), "{listing}");
    }
    let without = program(NOWHERE).arg("skills").output().unwrap();
    assert_eq!(without.status.code(), Some(2), "{}", String::from_utf8_lossy(&without.stderr));
}
