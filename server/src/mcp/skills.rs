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
            skill://write-for-siyuan/SKILL.md sha256:762b70834d5358aa49ce65d98cee12b7c311601ec177e019a17caba7f638a3d2
            skill://answer-with-sources/SKILL.md sha256:cf9c146c6204d35473dd79168acd02e8d524ccb36a9369ef3a7b6c59b7902e16
            skill://weekly-review/SKILL.md sha256:f14819b93cdb257453f3317dddedcd35b607876c9f2e800e6285a705a684796e
            skill://tidy-links/SKILL.md sha256:9290876cb531dc38b85c7a0992d4b5b8e55a3389c5ce537d48f05ef6f63563c3
        "#]].assert_eq(&digests);
        let unknown = one("skill://none/SKILL.md").unwrap_err();
        assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS, "the extension asks for this code");
        assert!(one(&Skill::Write.uri()).is_ok());
    }
}
