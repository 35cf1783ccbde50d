//! Tests of `system.notify`: a message is plain text.

use serde_json::{Value, json};

use crate::error::ErrorType;
use crate::testing::FakeKernel;
use crate::tools::system::testing::{data, faked};

/// A message is HTML for the page, so what an agent writes is escaped.
#[test]
fn notify_sends_plain_text() {
    let kernel = || {
        let pushed = |_: &Value| json!({ "id": "abc" });
        FakeKernel::new()
            .answer("/api/notification/pushMsg", pushed)
            .answer("/api/notification/pushErrMsg", pushed)
    };
    let (reply, asked) = faked(kernel(), "notify", json!({ "message": "<b onclick='x'>a & \"b\"</b>" }));
    assert_eq!(data(reply), json!({ "shown_to": "open windows" }));
    let html = "&lt;b onclick=&#39;x&#39;&gt;a &amp; &quot;b&quot;&lt;/b&gt;";
    assert_eq!(asked, [("/api/notification/pushMsg", json!({ "msg": html, "timeout": 7_000 }))]);
    let (_, asked) = faked(kernel(), "notify", json!({ "message": "a", "level": "error", "seconds": 2 }));
    assert_eq!(asked, [("/api/notification/pushErrMsg", json!({ "msg": "a", "timeout": 2_000 }))]);
    for wrong in [
        json!({ "message": " \u{200b}" }),
        json!({ "message": "" }),
        json!({ "message": "a", "seconds": 61 }),
    ] {
        let (reply, asked) = faked(kernel(), "notify", wrong.clone());
        assert_eq!((reply.unwrap_err().kind, asked.len()), (ErrorType::Validation, 0), "{wrong}");
    }
    let (reply, asked) = faked(kernel(), "notify", json!({ "message": "a", "preview": true }));
    assert_eq!((data(reply)["message"].clone(), asked.len()), (json!("a"), 0));
}
