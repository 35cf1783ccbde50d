//! The files that an action reads and writes: those of the workspace, and those of this machine.

use serde_json::{Value, json};

use super::Cx;
use crate::error::ToolError;
use crate::kernel::api::file;
use crate::kernel::{LocalFiles, files};
use crate::spec::Effect;

impl Cx<'_> {
    /// Reads a file of the workspace; `None` when it does not exist.
    pub async fn read_file(&self, path: &str) -> Result<Option<Vec<u8>>, ToolError> {
        self.declared(file::GET_FILE)?;
        Ok(files::read(self.kernel, path).await?)
    }

    /// Writes a file of the workspace.
    pub async fn write_file(&self, path: &str, bytes: Vec<u8>) -> Result<(), ToolError> {
        self.may_ask(file::PUT_FILE)?;
        self.watched(file::PUT_FILE, files::write(self.kernel, path, bytes)).await?;
        self.touch(file::PUT_FILE, &json!({ "path": path }), &Value::Null);
        Ok(())
    }

    /// The files of this machine. Only an action that declares that something may leave the workspace, or come in
    /// from outside, reaches them.
    pub fn local_files(&self) -> Result<&dyn LocalFiles, ToolError> {
        if self.spec.worst != Effect::External {
            return Err(ToolError::internal(format!("{} did not declare local files", self.spec.path())));
        }
        self.kernel.local_files().ok_or_else(|| {
            ToolError::disabled("Local files are not available in a page. Use the server for this.")
        })
    }
}
