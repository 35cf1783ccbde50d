//! SiYuan's HTTP API: one connection pool, a deadline on every request, retries for reads only.

pub(crate) mod client;
mod forgiving;
mod socket;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, LocalFiles, Nature, Request};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::multipart::{Form, Part};
use tokio::sync::RwLock;

pub use forgiving::ForgivingKernel;
pub(crate) use socket::Socket;

use crate::aside;
use crate::discover::Address;
use crate::local::Local;
use crate::trust::{Trust, refusal};
use crate::words::FileWords;

/// The maximum number of attempts for a read (B-033).
const TRIES: u32 = 3;
/// The wait before the second attempt; it grows with each further one.
const BACKOFF: Duration = Duration::from_millis(50);
/// The longest `Retry-After` to honour; a kernel that asks for more is reported instead.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// The time an idle connection is kept: shorter than the kernel keeps it.
const IDLE: Duration = Duration::from_secs(50);

/// The settings for calling the kernel.
#[derive(Clone)]
pub struct Options {
    /// The kernel's address.
    pub address: Address,
    /// The kernel's API token, if known.
    pub token: Option<String>,
    /// The certificates that prove the kernel's identity on an encrypted connection.
    pub trust: Trust,
    /// The deadline of one request.
    pub deadline: Duration,
    /// The local files that calls may touch.
    pub local: Local,
}

impl Options {
    /// Options for a known address, with the default deadline.
    pub fn new(address: Address, token: Option<String>) -> Options {
        let token = token.filter(|it| !it.is_empty());
        let (trust, local) = (Trust::default(), Local::default());
        Options { address, token, trust, deadline: Duration::from_secs(30), local }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token.as_ref().map(|_| "(hidden)");
        f.debug_struct("Options")
            .field("address", &self.address)
            .field("token", &token)
            .finish_non_exhaustive()
    }
}

/// A kernel reached over HTTP; clones share connections.
#[derive(Debug, Clone)]
pub struct HttpKernel {
    client: reqwest::Client,
    address: Address,
    /// The address that is called; `None` before this machine was searched for it.
    url: Arc<RwLock<Option<String>>>,
    local: Local,
}

impl HttpKernel {
    /// Makes a client; it connects with the first request.
    ///
    /// # Errors
    /// Returns a sentence for the user if the token is not a valid header value or TLS is unavailable.
    pub fn new(options: Options) -> Result<HttpKernel, String> {
        let token = options.token.map(|token| HeaderValue::try_from(format!("Token {token}"))).transpose();
        let token = token.map_err(|_| FileWords::here().token_characters().to_owned())?;
        let client = client::builder(options.address.is_encrypted(), token, &options.trust)?
            .timeout(options.deadline)
            .connect_timeout(client::CONNECT.min(options.deadline))
            .pool_idle_timeout(IDLE);
        let client = client::build(client)?;
        let url = matches!(options.address, Address::Given(_)).then(|| options.address.url());
        let url = Arc::new(RwLock::new(url));
        Ok(HttpKernel { client, address: options.address, url, local: options.local })
    }

    /// The present address. The first caller searches for it, so that a server greets its client before.
    pub(crate) async fn url(&self) -> String {
        if let Some(url) = self.url.read().await.as_ref() {
            return url.clone();
        }
        let mut url = self.url.write().await;
        match url.as_ref() {
            Some(url) => url.clone(),
            None => url.insert(self.address.search().await).clone(),
        }
    }

    /// Looks for the kernel again and returns whether its address has changed.
    async fn moved(&self) -> bool {
        if matches!(self.address, Address::Given(_)) {
            return false;
        }
        let mut url = self.url.write().await;
        let now = self.address.search().await;
        url.replace(now.clone()).is_none_or(|before| before != now)
    }

    /// Sends a request once.
    async fn once(&self, request: &Request) -> Result<Answer, KernelError> {
        let started = Instant::now();
        let outcome = self.exchange(request).await;
        let took = started.elapsed().as_millis();
        match &outcome {
            Ok(answer) => tracing::debug!("POST {} -> {} ({took} ms)", request.route.path, answer.status),
            Err(error) => tracing::debug!("POST {} -> {error:?} ({took} ms)", request.route.path),
        }
        outcome
    }

    async fn exchange(&self, request: &Request) -> Result<Answer, KernelError> {
        let nature = request.route.nature;
        let call = self.client.post(format!("{}{}", self.url().await, request.route.path));
        let call = match &request.body {
            Body::Json(body) => call.header("Content-Type", "application/json").body(body.to_string()),
            Body::File { path, bytes } => {
                let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                let file = Part::bytes(bytes.clone()).file_name(name);
                let texts = Body::form(path).into_iter();
                let form = texts.fold(Form::new(), |form, (name, text)| form.text(name, text.to_owned()));
                call.multipart(form.part(Body::FILE, file))
            }
        };
        let failed = |error: reqwest::Error| failure(&error, nature);
        let response = call.send().await.map_err(failed)?;
        let status = response.status().as_u16();
        let seconds =
            response.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok()?.trim().parse().ok());
        let body = match request.route.most {
            None => response.bytes().await.map_err(failed)?.to_vec(),
            Some(most) => bounded(response, most).await?.map_err(failed)?,
        };
        aside::reads(body.len()).await;
        Ok(Answer { status, retry_after: seconds.map(Duration::from_secs), body })
    }
}

/// The body of an answer, of which no more than `most` bytes are read; then the connection is dropped.
async fn bounded(
    mut response: reqwest::Response,
    most: usize,
) -> Result<Result<Vec<u8>, reqwest::Error>, KernelError> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > most => return Err(KernelError::TooLong(most)),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(Ok(body)),
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// The meaning of a failed exchange. The HTTP client's own message is dropped because it could contain the address.
fn failure(error: &reqwest::Error, nature: Nature) -> KernelError {
    if error.is_timeout() {
        KernelError::TimedOut
    } else if let Some(why) = refusal(error) {
        KernelError::Untrusted(why)
    } else if error.is_connect() {
        KernelError::Refused
    } else {
        KernelError::Broken(nature)
    }
}

/// The wait before the next attempt of a read; `None` if this outcome is final.
fn wait_after(outcome: &Result<Answer, KernelError>, tries: u32) -> Option<Duration> {
    let usual = BACKOFF * tries * tries;
    match outcome {
        // A kernel that used up the whole deadline is not asked again: the caller has waited long enough.
        Err(KernelError::Refused | KernelError::Broken(_)) => Some(usual),
        Ok(answer) => match answer.status {
            429 => Some(answer.retry_after.unwrap_or(usual)).filter(|wait| *wait <= LONGEST_WAIT),
            500 | 502 | 503 | 504 => Some(usual),
            _ => None,
        },
        Err(_) => None,
    }
}

impl Kernel for HttpKernel {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let mut tries = 1;
            loop {
                let outcome = self.once(&request).await;
                if matches!(outcome, Err(KernelError::Refused)) && self.moved().await {
                    // Nothing was sent, so even a write may go to the new address, but only once.
                    return self.once(&request).await;
                }
                let wait = match request.route.nature {
                    Nature::Read if tries < TRIES => wait_after(&outcome, tries),
                    _ => None,
                };
                let Some(wait) = wait else { return outcome };
                tokio::time::sleep(wait).await;
                tries += 1;
            }
        })
    }

    fn local_files(&self) -> Option<&dyn LocalFiles> {
        Some(&self.local)
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            tokio::time::sleep(time).await;
        })
    }
}

impl Ambient for HttpKernel {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn local_digits(&self) -> String {
        chrono::Local::now().format("%Y%m%d%H%M%S").to_string()
    }

    fn local_offset(&self, at_ms: i64) -> i32 {
        let at = chrono::DateTime::from_timestamp_millis(at_ms).unwrap_or_default();
        at.with_timezone(&chrono::Local).offset().local_minus_utc() / 60
    }

    fn random(&self) -> u64 {
        fastrand::u64(..)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use puppy_core::kernel::Route;
    use puppy_core::kernel::api::notebook::ls_notebooks;

    use super::*;

    fn answer(status: u16, seconds: Option<u64>) -> Result<Answer, KernelError> {
        Ok(Answer { status, retry_after: seconds.map(Duration::from_secs), body: Vec::new() })
    }

    /// B-033: transient failures are tried again.
    #[test]
    fn transient_failures_are_retried() {
        assert!(wait_after(&Err(KernelError::Refused), 1) < wait_after(&Err(KernelError::Refused), 2));
        assert!(wait_after(&answer(500, None), 1).is_some());
        assert_eq!(wait_after(&answer(429, Some(2)), 1), Some(Duration::from_secs(2)));
        assert_eq!(wait_after(&answer(429, Some(3_600)), 1), None);
        for stands in [answer(200, None), answer(202, None), answer(401, None), answer(501, None)] {
            assert_eq!(wait_after(&stands, 1), None, "{stands:?}");
        }
        assert_eq!(wait_after(&Err(KernelError::TimedOut), 1), None);
    }

    /// B-137: printing the options or the client reveals no token.
    #[test]
    fn kernel_token_is_never_printed() {
        let address = Address::Given("http://127.0.0.1:1".to_owned());
        let options = Options::new(address, Some("canary-token".to_owned()));
        let kernel = HttpKernel::new(options.clone()).unwrap();
        let printed = format!("{options:?} {kernel:?}");
        assert!(!printed.contains("canary"), "{printed}");
    }

    /// S4: of an answer without end no more is read than its route allows; others are read to their end.
    #[tokio::test]
    async fn an_answer_is_read_up_to_its_bound() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let sent = std::thread::spawn(move || {
            [100, 8_000].map(|chunks| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 4_096];
                let _ = stream.read(&mut request).unwrap();
                stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
                // The last ones fail, because the reader has left.
                (0..chunks).take_while(|_| stream.write_all(&[b' '; 10_000]).is_ok()).count()
            })
        });
        let kernel = HttpKernel::new(Options::new(Address::Given(address), None)).unwrap();
        let ask = |route| {
            let mut request = ls_notebooks().request();
            request.route = route;
            kernel.send(request)
        };
        let whole = ask(Route::read("/api/query/sql").at_most(1_000_000)).await.unwrap();
        assert_eq!(whole.body.len(), 1_000_000);
        let cut = ask(Route::read("/api/query/sql").at_most(1_000_000)).await;
        assert_eq!(cut, Err(KernelError::TooLong(1_000_000)));
        // The connection is closed by a task of this thread.
        let [_, chunks] = tokio::task::spawn_blocking(|| sent.join().unwrap()).await.unwrap();
        assert!(chunks < 8_000, "{chunks} chunks were read");
    }

    #[test]
    fn local_clock_prints_the_kernels_timestamp() {
        let kernel =
            HttpKernel::new(Options::new(Address::Given("http://127.0.0.1:1".into()), None)).unwrap();
        let digits = kernel.local_digits();
        assert!(digits.len() == 14 && digits.bytes().all(|it| it.is_ascii_digit()), "{digits}");
    }
}
