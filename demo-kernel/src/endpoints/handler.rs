//! The forms of a handler: how it takes its arguments, and how its outcome becomes an answer.

use crate::answer::{Answer, Args, FormPart, Outcome, QueryRows, Refusal, parse_args};
use crate::kernel::Kernel;

/// The result of a file endpoint: the content type and the bytes.
pub(crate) type FileOutcome = Result<(String, Vec<u8>), Refusal>;

/// The form in which an endpoint takes its arguments and answers.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// JSON in, envelope out.
    Json(fn(&Kernel, &Args) -> Outcome),
    /// As `Json`, but where the real handler gives up the answer is HTTP 200 with an empty body.
    Bare(fn(&Kernel, &Args) -> Outcome),
    /// As `Json`, and an empty body counts as `{}`.
    Lenient(fn(&Kernel, &Args) -> Outcome),
    /// A multipart form in (none when the body was something else), envelope out.
    Form(fn(&Kernel, Option<Vec<FormPart>>) -> Outcome),
    /// As `Json`; since SiYuan 3.8 the envelope also tells of the limit that cut the rows.
    Rows(fn(&Kernel, &Args) -> Result<QueryRows, Refusal>),
    /// JSON in, bytes out; a refusal is HTTP 202.
    File(fn(&Kernel, &Args) -> FileOutcome),
}

impl Handler {
    /// Answers a request: the bytes of its body, or the parts of its form.
    pub(crate) fn answer(
        self,
        kernel: &Kernel,
        path: &str,
        body: &[u8],
        form: Option<Vec<FormPart>>,
    ) -> Answer {
        let args = || parse_args(path, body).and_then(|args| kernel.siyuan.decode(path, args));
        match self {
            Handler::Json(f) => Answer::json(200, args().and_then(|args| f(kernel, &args))),
            Handler::Bare(f) => match args().and_then(|args| f(kernel, &args)) {
                Err(refusal) if refusal == Refusal::panicked() => {
                    Answer { status: 200, content_type: String::new(), body: Vec::new() }
                }
                outcome => Answer::json(200, outcome),
            },
            Handler::Lenient(f) => {
                let args = parse_args(path, body).unwrap_or_default();
                Answer::json(200, kernel.siyuan.decode(path, args).and_then(|args| f(kernel, &args)))
            }
            Handler::Rows(f) => match args().and_then(|args| f(kernel, &args)) {
                Ok(rows) => Answer::rows(rows),
                Err(refusal) => Answer::json(200, Err(refusal)),
            },
            Handler::Form(f) => {
                let decoded = kernel.siyuan.decode_form(path, form.as_deref());
                Answer::json(200, decoded.and_then(|()| f(kernel, form)))
            }
            Handler::File(f) => match args().and_then(|args| f(kernel, &args)) {
                Ok((content_type, body)) => Answer { status: 200, content_type, body },
                Err(refusal) => Answer::json(202, Err(refusal)),
            },
        }
    }
}
