//! `system.get_info`: versions, platform, time, and available features.

use futures_util::future::try_join3;
use serde_json::json;

use crate::content::stamp;
use crate::prelude::*;

/// Tell versions, platform, time and what is available.
#[derive(Debug, Action)]
#[action(
    system.get_info,
    effect = Read,
    danger = None,
    idempotent = true,
    calls = [system::VERSION, system::CURRENT_TIME, system::GET_CONF],
)]
pub struct GetInfo;

impl Run for GetInfo {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        // It names no notebook, but their number is unknown while the table is.
        cx.scope().grants.table.as_ref().map_err(ToolError::from)?;
        let version = cx.ask(system::version());
        let time = cx.ask(system::current_time());
        // Field by field, because the configuration contains tokens and keys.
        let (version, time, conf) = try_join3(version, time, cx.conf()).await?;
        let offset = stamp::offset(&cx.ambient().local_digits(), cx.ambient().now_ms());
        Ok(Output::new()
            .with("siyuan", version)
            .with("plugin", env!("CARGO_PKG_VERSION"))
            .with("time", stamp::with_offset(time / 1_000, offset))
            .with("os", conf.system.os.as_str())
            .with("container", conf.system.container.as_str())
            .with("language", conf.lang.as_str())
            .with("readonly", conf.readonly)
            .with("page_connected", cx.needs_page().is_ok())
            .with("notebooks", cx.scope().visible_notebooks().count())
            .with(
                "features",
                json!({
                    "semantic_search": conf.ai.embedding.enabled,
                    "sync": conf.sync.enabled,
                    "snapshots": conf.repo.has_key,
                    "flashcards": true,
                }),
            ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::content::stamp::offset as local_offset;
    use crate::spec::Tool;
    use crate::testing::{FakeKernel, call, engine};

    /// The kernel's answer, secrets included.
    fn conf() -> Value {
        json!({ "conf": {
            "lang": "en", "readonly": false, "api": { "token": "secret-token" },
            "system": { "os": "linux", "container": "docker", "workspaceDir": "/home/ana/notes", "networkProxy": { "host": "secret-host" } },
            "sync": { "enabled": true, "webdav": { "password": "secret-password" } },
            "repo": { "key": "secret-key" }, "ai": { "embedding": { "enabled": false, "apiKey": "secret-ai" } },
            "cookieKey": "secret-cookie", "search": { "paragraph": true }
        } })
    }

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/system/version", |_| json!("3.7.3"))
            .answer("/api/system/currentTime", |_| json!(1_700_000_000_123_u64))
            .answer("/api/system/getConf", |_| conf())
    }

    #[test]
    fn get_info_returns_allowed_fields_only() {
        let engine = engine(kernel());
        let reply = call(&engine, Tool::System, json!({ "action": "get_info" })).unwrap();
        let expected = json!({
            "siyuan": "3.7.3", "plugin": env!("CARGO_PKG_VERSION"), "time": "2023-11-14T22:13:20Z",
            "os": "linux", "container": "docker", "language": "en", "readonly": false,
            "page_connected": false, "notebooks": 2,
            "features": { "semantic_search": false, "sync": true, "snapshots": true, "flashcards": true }
        });
        let data = Value::Object(reply.data);
        assert_eq!(data, expected);
        assert!(!data.to_string().contains("secret") && !data.to_string().contains("/home"));
    }

    /// B-026: three requests, and the configuration is read only once in half a minute.
    #[test]
    fn get_info_caches_the_configuration() {
        let engine = engine(kernel());
        for _ in 0..2 {
            call(&engine, Tool::System, json!({ "action": "get_info" })).unwrap();
        }
        let paths: Vec<&str> = engine.kernel.asked().iter().map(|(path, _)| *path).collect();
        let count = |path: &str| paths.iter().filter(|it| **it == path).count();
        assert_eq!((paths.len(), count("/api/system/getConf")), (5, 1));
    }

    #[test]
    fn get_info_works_without_configuration() {
        let bare = kernel().answer("/api/system/getConf", |_| json!({ "conf": {} }));
        let reply = call(&engine(bare), Tool::System, json!({ "action": "get_info" })).unwrap();
        assert_eq!((&reply.data["features"]["snapshots"], reply.data.get("os")), (&json!(false), None));
    }

    #[test]
    fn get_info_offset_matches_the_local_clock() {
        let now = 1_700_000_000_000;
        assert_eq!(local_offset("20231114231320", now), 60);
        assert_eq!(local_offset("20231115035817", now), 345);
        assert_eq!(local_offset("20231114171322", now), -300);
        assert_eq!(local_offset("20251121104500", now), 0);
        assert_eq!(local_offset("", now), 0);
    }
}
