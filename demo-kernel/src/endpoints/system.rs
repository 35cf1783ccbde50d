//! `/api/system`: version, clock, configuration.

use serde_json::json;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

pub(super) fn version(kernel: &Kernel, _: &Args) -> Outcome {
    Ok(json!(kernel.siyuan.version()))
}

pub(super) fn boot_progress(_: &Kernel, _: &Args) -> Outcome {
    Ok(json!({ "progress": 100, "details": "Finishing boot..." }))
}

pub(super) fn current_time(_: &Kernel, _: &Args) -> Outcome {
    Ok(json!(crate::id::now_ms()))
}

pub(super) fn workspace_info(kernel: &Kernel, _: &Args) -> Outcome {
    Ok(json!({ "siyuanVer": kernel.siyuan.version(), "workspaceDir": kernel.workspace.to_string_lossy() }))
}

/// The parts of the configuration that the host page and our tests look at.
pub(super) fn get_conf(kernel: &Kernel, _: &Args) -> Outcome {
    let (enabled, synced) = kernel.sync();
    let conf = json!({
        "accessAuthCode": "",
        "ai": super::setting::ai(kernel),
        "api": { "token": kernel.token },
        "appearance": { "lang": "en", "mode": 0, "modeOS": false },
        "bazaar": { "trust": true, "petalDisabled": false },
        "editor": { "allowHTMLBLockScript": false },
        "fileTree": { "maxListCount": 512, "sort": 6 },
        "flashcard": { "newCardLimit": 20, "reviewCardLimit": 200, "reviewMode": 0 },
        "lang": "en",
        "readonly": false,
        "repo": { "key": kernel.snapshots.key() },
        "search": { "limit": 64 },
        "system": {
            "kernelVersion": kernel.siyuan.version(),
            "workspaceDir": "",
            "container": "std",
            "os": std::env::consts::OS,
        },
        "sync": { "enabled": enabled, "mode": 1, "provider": 0, "synced": synced, "stat": "" },
        "tag": { "sort": 0 },
    });
    Ok(json!({ "conf": conf, "isPublish": false, "start": false }))
}
