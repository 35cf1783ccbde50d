//! Places of notebooks, by id or exact name.

use super::{Resolver, of_notebook};
use crate::error::ToolError;
use crate::id::{NotebookRef, resembles_id};
use crate::kernel::api::notebook::Notebook;
use crate::permission::Place;

impl Resolver<'_> {
    /// The notebooks of these ids or names; an error names the ambiguous argument.
    pub(super) async fn notebooks(
        &mut self,
        asked: &[(&str, &NotebookRef)],
    ) -> Result<Vec<Option<Place>>, ToolError> {
        self.know(asked.iter().map(|(_, name)| name.as_str())).await;
        asked.iter().map(|(param, name)| self.notebook(param, name.as_str())).collect()
    }

    /// Reads the list of notebooks once more unless it contains all of these, for hidden ones as for missing ones.
    pub(super) async fn know<'n>(&mut self, mut names: impl Iterator<Item = &'n str>) {
        if !names.all(|name| self.meant(name).next().is_some()) {
            self.scope = self.source.read_again(self.kernel, &self.scope).await;
        }
    }

    /// The notebook of that id or name, among the known ones.
    pub(super) fn notebook(&self, param: &str, name: &str) -> Result<Option<Place>, ToolError> {
        let meant: Vec<&Notebook> = self.meant(name).collect();
        match meant.as_slice() {
            [] => Ok(None),
            [one] => Ok(of_notebook(&self.scope, &one.id)),
            several => {
                let ids: Vec<&str> = several.iter().map(|it| it.id.as_str()).collect();
                let expected = format!("an id: {} notebooks are called \"{name}\"", ids.len());
                Err(ToolError::field(param, expected).with("candidates", ids))
            }
        }
    }

    fn meant<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Notebook> {
        // An id is only ever an id: a notebook named like an id cannot stand in for the one that has it.
        let is_name = !resembles_id(name);
        self.scope.visible_notebooks().filter(move |it| it.id == name || (is_name && it.name == name))
    }
}
