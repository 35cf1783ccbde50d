//! Skills in the shape of the protocol: their list, and each with the digest of its file (B-018). The file itself is a
//! resource.

use puppy_core::skills::Skill;
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetSkillResult, ListSkillsResult, Skill as McpSkill, SkillFrontmatter, SkillResource,
    SkillResources,
};

/// The time a client may cache a skill, in milliseconds: they change with the program only.
const TTL_MS: u64 = 3_600_000;

/// Every skill, on one page.
pub(super) fn listed() -> ListSkillsResult {
    ListSkillsResult::with_all_items(Skill::ALL.into_iter().map(described).collect())
        .with_ttl_ms(TTL_MS)
        .with_cache_scope(CacheScope::Public)
}

/// The skill at an address.
pub(super) fn one(uri: &str) -> Result<GetSkillResult, ErrorData> {
    let known = || Skill::ALL.map(Skill::uri).join(", ");
    let skill = Skill::at(uri).ok_or_else(|| {
        ErrorData::invalid_params(format!("There is no such skill. The skills are {}.", known()), None)
    })?;
    Ok(GetSkillResult::new(described(skill)).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public))
}

fn described(skill: Skill) -> McpSkill {
    let file = SkillResource::from_bytes(skill.uri(), skill.text().as_bytes());
    let head = SkillFrontmatter::new(skill.name(), skill.description());
    McpSkill::new(skill.uri(), head, SkillResources::Files(vec![file]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use rmcp::model::{ErrorCode, validate_skills};

    use super::*;

    /// B-018: the digests are those of the files; they change with the texts only.
    #[test]
    fn digests_are_those_of_the_files() {
        let skills: Vec<McpSkill> = Skill::ALL.into_iter().map(described).collect();
        validate_skills(&skills).unwrap();
        let mut digests = String::new();
        for (skill, listed) in Skill::ALL.into_iter().zip(&skills) {
            let SkillResources::Files(files) = &listed.resources else { panic!("no files") };
            files[0].verify(skill.text().as_bytes()).unwrap();
            assert!(files[0].verify(b"another text").is_err());
            digests.push_str(&format!("{} {}\n", files[0].uri, files[0].digest));
        }
        expect![[r#"
            skill://write-for-siyuan/SKILL.md sha256:2809c27e08b6c9dd6845649cb2533c8db38e354264735c01c72fabee9ba503be
            skill://answer-with-sources/SKILL.md sha256:4414953b352591962b556ed8195cb304edc0f04c7dc8ad399c1348f2146c3049
            skill://weekly-review/SKILL.md sha256:f14819b93cdb257453f3317dddedcd35b607876c9f2e800e6285a705a684796e
            skill://tidy-links/SKILL.md sha256:5483a2a15f8b1e52eea0e568adcac42d4b094e9e731069c63a608c246e4b4c85
        "#]].assert_eq(&digests);
        let unknown = one("skill://none/SKILL.md").unwrap_err();
        assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS, "the extension asks for this code");
        assert!(one(&Skill::Write.uri()).is_ok());
    }
}
