//! Requests with plain `fetch`, to the kernel and to the receiver of usage reports: the page's own helpers reload the page on 401 and never answer on errors.

use crate::state::events::Fields;
use puppy_core::kernel::{Answer, Body, KernelError, Nature, Route};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Sends a request to the page's own origin; a missed deadline is an error.
pub async fn send(route: Route, body: Body, deadline_ms: u32) -> Result<Answer, KernelError> {
    let signal = web_sys::AbortSignal::timeout_with_u32(deadline_ms);
    let failed = |error: JsValue| match error.dyn_ref::<js_sys::Error>() {
        Some(error) if error.name() == "TimeoutError" => KernelError::TimedOut,
        // `fetch` does not tell a refused connection from a broken one.
        _ if route.nature == Nature::Write => KernelError::Broken(Nature::Write),
        _ => KernelError::Refused,
    };
    let body = match body {
        Body::Json(value) => JsValue::from_str(&value.to_string()),
        Body::File { path, bytes } => form(&path, &bytes).map_err(failed)?,
    };
    let (status, body) = exchange(route.path, &body, &signal).await.map_err(failed)?;
    // The browser has read it, but nothing else is made of it.
    if let Some(most) = route.most.filter(|it| body.len() > *it) {
        return Err(KernelError::TooLong(most));
    }
    Ok(Answer { status, retry_after: None, body })
}

/// Like `send`, for a text to the kernel; the answer is the status, and the body as the browser reads it, `None` for one
/// that is no JSON.
pub async fn post(path: &str, text: &str, deadline_ms: u32) -> Option<(u16, Option<impl Fields>)> {
    let signal = web_sys::AbortSignal::timeout_with_u32(deadline_ms);
    let response = respond(path, &JsValue::from_str(text), &signal).await.ok()?;
    let body = JsFuture::from(response.json().ok()?).await.ok();
    Some((response.status(), body))
}

impl Fields for JsValue {
    fn text(&self, key: &str) -> Option<String> {
        field(self, key)?.as_string()
    }

    fn number(&self, key: &str) -> Option<u64> {
        // Whatever a number that is no count becomes, it is none of ours.
        field(self, key)?.as_f64().map(|it| it as u64)
    }

    fn list(&self, key: &str) -> Option<Vec<JsValue>> {
        field(self, key)?.dyn_into::<js_sys::Array>().ok().map(|it| it.to_vec())
    }

    fn object(&self, key: &str) -> Option<JsValue> {
        field(self, key).filter(JsValue::is_object)
    }

    fn is(&self, key: &str) -> bool {
        field(self, key).is_some_and(|it| it == JsValue::TRUE)
    }
}

fn field(object: &JsValue, key: &str) -> Option<JsValue> {
    js_sys::Reflect::get(object, &JsValue::from_str(key)).ok()
}

/// Posts a text to another server without credentials, referrer, cache or redirections. Delivery is not reported.
pub async fn deliver(url: &str, text: &str, deadline_ms: u32) {
    let init = request(&JsValue::from_str(text), &web_sys::AbortSignal::timeout_with_u32(deadline_ms));
    init.set_cache(web_sys::RequestCache::NoStore);
    init.set_credentials(web_sys::RequestCredentials::Omit);
    init.set_referrer_policy(web_sys::ReferrerPolicy::NoReferrer);
    init.set_redirect(web_sys::RequestRedirect::Manual);
    if let Some(window) = web_sys::window() {
        // An unreachable server is no error.
        let _ = JsFuture::from(window.fetch_with_str_and_init(url, &init)).await;
    }
}

fn request(body: &JsValue, signal: &web_sys::AbortSignal) -> web_sys::RequestInit {
    let init = web_sys::RequestInit::new();
    init.set_method("POST");
    init.set_signal(Some(signal));
    init.set_body(body);
    init
}

async fn exchange(
    path: &str,
    body: &JsValue,
    signal: &web_sys::AbortSignal,
) -> Result<(u16, Vec<u8>), JsValue> {
    let response = respond(path, body, signal).await?;
    let bytes = JsFuture::from(response.array_buffer()?).await?;
    Ok((response.status(), js_sys::Uint8Array::new(&bytes).to_vec()))
}

async fn respond(
    path: &str,
    body: &JsValue,
    signal: &web_sys::AbortSignal,
) -> Result<web_sys::Response, JsValue> {
    let init = request(body, signal);
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    JsFuture::from(window.fetch_with_str_and_init(path, &init)).await?.dyn_into()
}

/// The form that `file/putFile` takes.
fn form(path: &str, bytes: &[u8]) -> Result<JsValue, JsValue> {
    let form = web_sys::FormData::new()?;
    for (name, text) in Body::form(path) {
        form.append_with_str(name, text)?;
    }
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    form.append_with_blob(Body::FILE, &web_sys::Blob::new_with_u8_array_sequence(&parts)?)?;
    Ok(form.into())
}
