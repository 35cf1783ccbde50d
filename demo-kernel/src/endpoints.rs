//! The table of endpoints: one line each; an area is a file of functions.

use crate::answer::{Args, Outcome, Refusal};
use crate::http::Part;
use crate::kernel::Kernel;

mod file;
mod notebook;
mod petal;
mod system;

/// What a file endpoint returns: the content type and the bytes.
pub(crate) type FileOutcome = Result<(String, Vec<u8>), Refusal>;

/// How an endpoint takes its arguments and answers.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// JSON in, envelope out.
    Json(fn(&Kernel, &Args) -> Outcome),
    /// The same; an empty body is as good as `{}`.
    Lenient(fn(&Kernel, &Args) -> Outcome),
    /// A multipart form in (none when the body was something else), envelope out.
    Form(fn(&Kernel, Option<Vec<Part>>) -> Outcome),
    /// JSON in, bytes out; a refusal is HTTP 202.
    File(fn(&Kernel, &Args) -> FileOutcome),
}

/// One line of the table.
pub(crate) struct Endpoint {
    path: &'static str,
    pub(crate) run: Run,
    /// Whether GET is answered too.
    pub(crate) get: bool,
}

const fn post(path: &'static str, run: Run) -> Endpoint {
    Endpoint { path, run, get: false }
}

const fn any(path: &'static str, run: Run) -> Endpoint {
    Endpoint { path, run, get: true }
}

use Run::{File, Form, Json, Lenient};

#[rustfmt::skip]
const TABLE: &[Endpoint] = &[
    post("/api/file/getFile", File(file::get_file)),
    post("/api/file/putFile", Form(file::put_file)),
    post("/api/file/readDir", Json(file::read_dir)),
    post("/api/file/removeFile", Json(file::remove_file)),
    post("/api/file/renameFile", Json(file::rename_file)),

    post("/api/notebook/changeSortNotebook", Json(notebook::change_sort)),
    post("/api/notebook/closeNotebook", Json(notebook::close)),
    post("/api/notebook/createNotebook", Json(notebook::create)),
    post("/api/notebook/getNotebookConf", Json(notebook::get_conf)),
    post("/api/notebook/getNotebookInfo", Json(notebook::get_info)),
    post("/api/notebook/lsNotebooks", Lenient(notebook::list)),
    post("/api/notebook/openNotebook", Json(notebook::open)),
    post("/api/notebook/removeNotebook", Json(notebook::remove)),
    post("/api/notebook/renameNotebook", Json(notebook::rename)),
    post("/api/notebook/setNotebookConf", Json(notebook::set_conf)),
    post("/api/notebook/setNotebookIcon", Json(notebook::set_icon)),

    post("/api/petal/loadPetals", Json(petal::load)),
    post("/api/petal/setPetalEnabled", Json(petal::set_enabled)),

    any("/api/system/bootProgress", Lenient(system::boot_progress)),
    post("/api/system/currentTime", Lenient(system::current_time)),
    post("/api/system/getConf", Lenient(system::get_conf)),
    post("/api/system/getWorkspaceInfo", Lenient(system::workspace_info)),
    any("/api/system/version", Lenient(system::version)),
];

/// The endpoint of a path.
pub(crate) fn find(path: &str) -> Option<&'static Endpoint> {
    TABLE.iter().find(|endpoint| endpoint.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_area_and_names_nothing_twice() {
        let paths: Vec<_> = TABLE.iter().map(|e| e.path).collect();
        let mut sorted = paths.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(paths, sorted);
    }
}
