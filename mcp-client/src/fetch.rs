//! Requests of a page over `fetch`, its clock and its chance: the only file that knows the browser.

use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, Headers, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials,
    RequestInit, RequestRedirect, Response,
};

use crate::forward;
use crate::http::{Body, BrokenBody, Header, HttpAnswer, HttpRequest, Method, Unreachable};
use crate::world::{Ambient, Transport};

/// The headers of answers that decide something; of other origins a page sees only those that they expose.
const READ: [&str; 4] = ["content-type", "mcp-session-id", "retry-after", "www-authenticate"];

/// The browser.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page;

impl Transport for Page {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<HttpAnswer, Unreachable>> {
        let sent = async move {
            if let Some(wait_ms) = request.through_kernel {
                return forward(&request, wait_ms).await;
            }
            // Nothing of the page goes to a server but what the person entered for it.
            send(&request, RequestCredentials::Omit).await
        };
        sent.boxed_local()
    }
}

impl Ambient for Page {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a clock before 1970 reads 0")]
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        gloo_timers::future::TimeoutFuture::new(u32::try_from(ms).unwrap_or(u32::MAX)).boxed_local()
    }

    fn chance(&self) -> f64 {
        js_sys::Math::random()
    }
}

/// Ends a request when it is dropped.
struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Has the page's kernel send a request.
async fn forward(request: &HttpRequest, wait_ms: u64) -> Result<HttpAnswer, Unreachable> {
    if forward::is_stream(request) {
        return Ok(forward::no_stream());
    }
    let asked = HttpRequest {
        method: Method::Post,
        url: forward::ENDPOINT.to_owned(),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Some(forward::asked(request, wait_ms)?),
        through_kernel: None,
    };
    let answer = send(&asked, RequestCredentials::SameOrigin).await?;
    let answer = answer.text().await.map_err(|BrokenBody(why)| Unreachable(why))?;
    forward::answered(answer.as_bytes())
}

async fn send(request: &HttpRequest, credentials: RequestCredentials) -> Result<HttpAnswer, Unreachable> {
    fetch(request, credentials).await.map_err(|error| Unreachable(words(&error)))
}

async fn fetch(request: &HttpRequest, credentials: RequestCredentials) -> Result<HttpAnswer, JsValue> {
    let ending = AbortOnDrop(AbortController::new()?);
    let headers = Headers::new()?;
    for (name, value) in &request.headers {
        headers.set(name, value)?;
    }
    let init = RequestInit::new();
    init.set_method(request.method.name());
    init.set_headers_headers(&headers);
    init.set_signal(Some(&ending.0.signal()));
    init.set_cache(RequestCache::NoStore);
    init.set_credentials(credentials);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    // A redirection would take the headers elsewhere.
    init.set_redirect(RequestRedirect::Manual);
    if let Some(body) = &request.body {
        init.set_body(&JsValue::from_str(body));
    }
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let answer = JsFuture::from(window.fetch_with_str_and_init(&request.url, &init)).await?;
    let answer: Response = answer.dyn_into()?;
    let read = |name: &str| -> Option<Header> {
        Some((name.to_owned(), answer.headers().get(name).ok().flatten()?))
    };
    Ok(HttpAnswer {
        status: answer.status(),
        headers: READ.into_iter().filter_map(read).collect(),
        body: body(&answer, ending)?,
    })
}

/// The chunks of a body; dropping it ends the request.
fn body(answer: &Response, ending: AbortOnDrop) -> Result<Body, JsValue> {
    let Some(stream) = answer.body() else { return Ok(stream::empty().boxed_local()) };
    let reader = ReadableStreamDefaultReader::new(&stream)?;
    Ok(stream::unfold(Some((reader, ending)), |open| async move {
        let (reader, ending) = open?;
        match chunk(&reader).await {
            Ok(Some(bytes)) => Some((Ok(bytes), Some((reader, ending)))),
            Ok(None) => None,
            Err(error) => Some((Err(BrokenBody(words(&error))), None)),
        }
    })
    .boxed_local())
}

async fn chunk(reader: &ReadableStreamDefaultReader) -> Result<Option<Vec<u8>>, JsValue> {
    let read = JsFuture::from(reader.read()).await?;
    if js_sys::Reflect::get(&read, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    let bytes: js_sys::Uint8Array = js_sys::Reflect::get(&read, &"value".into())?.dyn_into()?;
    Ok(Some(bytes.to_vec()))
}

/// The browser's words for a failure.
fn words(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map(|it| it.message().into()).unwrap_or_default()
}
