//! The person's SiYuan: requests of the run itself, to lay things out and to remove them.

use demo_kernel::RequestBody;
use puppy_server::trust::Trust;
use reqwest::Client;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

/// A SiYuan at an address.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(crate) client: Client,
    pub(crate) url: String,
    token: Option<String>,
}

impl Kernel {
    pub(crate) fn new(url: &str, token: Option<String>) -> Result<Kernel, String> {
        let greeting = Trust::default().greeting(url.starts_with("https:"))?;
        let client = Client::builder().no_proxy().tls_backend_preconfigured(greeting).build();
        let client = client.map_err(|_| "The HTTP client could not be set up.")?;
        Ok(Kernel { client, url: url.trim_end_matches('/').to_owned(), token })
    }

    /// The body of the answer to a request for a path like `/api/block/appendBlock`.
    pub(crate) async fn send(&self, path: &str, sent: RequestBody<'_>) -> Result<Vec<u8>, String> {
        let mut post = self.client.post(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            post = post.header("authorization", format!("Token {token}"));
        }
        let post = match sent {
            RequestBody::Json(body) => post.header("content-type", "application/json").body(body.to_string()),
            RequestBody::File { path, bytes } => {
                let file = Part::bytes(bytes.to_vec()).file_name("file");
                post.multipart(Form::new().text("path", path.to_owned()).part("file", file))
            }
        };
        // Not the error's own text: it may hold the address with whatever stands in it.
        let failed = |_| format!("{path}: SiYuan does not answer.");
        Ok(post.send().await.map_err(failed)?.bytes().await.map_err(failed)?.to_vec())
    }

    /// The data of an answer.
    pub(crate) async fn ask(&self, path: &str, body: &Value) -> Result<Value, String> {
        data(path, &self.send(&format!("/api/{path}"), RequestBody::Json(body)).await?)
    }

    /// Writes a file of the workspace.
    pub(crate) async fn put(&self, path: &str, content: &Value) -> Result<(), String> {
        let bytes = content.to_string().into_bytes();
        let answer = self.send("/api/file/putFile", RequestBody::File { path, bytes: &bytes }).await?;
        data("file/putFile", &answer).map(drop)
    }

    /// The paths of the files in a folder and in the folders below it.
    pub(crate) async fn files(&self, folder: &str) -> Result<Vec<String>, String> {
        let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            // A missing folder has no files.
            let Ok(list) = self.ask("file/readDir", &json!({ "path": folder })).await else { continue };
            for entry in list.as_array().into_iter().flatten() {
                let path =
                    format!("{folder}/{}", entry.get("name").and_then(Value::as_str).unwrap_or_default());
                if entry.get("isDir") == Some(&json!(true)) { &mut folders } else { &mut found }.push(path);
            }
        }
        Ok(found)
    }
}

fn data(path: &str, answer: &[u8]) -> Result<Value, String> {
    let mut envelope: Value = serde_json::from_slice(answer).unwrap_or_default();
    match envelope.get("code").and_then(Value::as_i64) {
        Some(0) => Ok(envelope.get_mut("data").map(Value::take).unwrap_or_default()),
        _ => Err(format!(
            "{path}: {}",
            envelope.get("msg").and_then(Value::as_str).unwrap_or("no answer of SiYuan")
        )),
    }
}
