//! A kernel without a network: tests ask its endpoints directly, at a time and with dice of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::answer::{Answer, FormPart, Refusal};
use crate::desk::{Desk, RequestBody};
use crate::endpoints::table;
use crate::kernel::Kernel;
use crate::markdown::sy;
use crate::moment::{self, Moment};
use crate::store::Store;
use crate::{Content, Options, Result, Siyuan, StartError, Switches, open};

/// A kernel in process, without access checks and faults; nothing in it sleeps.
#[derive(Debug)]
pub struct Demo {
    kernel: Kernel,
    /// The present moment, and the number of requests since it was set.
    moment: Mutex<(Moment, u64)>,
}

fn start_error(refusal: Refusal) -> StartError {
    StartError(refusal.msg)
}

impl Demo {
    /// Opens a new workspace in a folder and recreates its databases.
    ///
    /// # Errors
    /// When the folder or the fixture cannot be read or written.
    pub fn open(folder: &Path, content: Content, moment: Moment) -> Result<Demo> {
        Demo::open_as(Siyuan::V3_7, folder, content, moment)
    }

    /// The same as a version of SiYuan.
    ///
    /// # Errors
    /// When the folder or the fixture cannot be read or written.
    pub fn open_as(siyuan: Siyuan, folder: &Path, content: Content, moment: Moment) -> Result<Demo> {
        let options =
            Options { siyuan, port: 0, workspace: folder.to_owned(), content, token: None, stage: None };
        let kernel = moment::at(moment, || open::open(options)).map_err(StartError)?;
        Ok(Demo { kernel, moment: Mutex::new((moment, 0)) })
    }

    /// Copies the workspace to another folder, which must be empty or missing.
    ///
    /// # Errors
    /// When a file cannot be copied.
    pub fn copy(&self, folder: &Path) -> Result<Demo> {
        let failed = |e: std::io::Error| StartError(format!("the workspace cannot be copied: {e}"));
        let (moment, requests) = *self.moment();
        let kernel = moment::at(moment, || {
            let options = Options {
                siyuan: self.kernel.siyuan,
                port: 0,
                workspace: folder.to_owned(),
                content: Content::Empty,
                token: None,
                stage: None,
            };
            self.kernel.store.copy_to(&folder.join("temp")).map_err(start_error)?;
            for part in ["data", "history", "temp/siyuan-mcp-puppy"] {
                let from = self.kernel.workspace.join(part);
                if from.is_dir() {
                    copy_files(&from, &folder.join(part)).map_err(failed)?;
                }
            }
            open::open_with(options, Store::open_as_it_is).map_err(StartError)
        })?;
        kernel.switch(self.kernel.switches.get()).map_err(start_error)?;
        Ok(Demo { kernel, moment: Mutex::new((moment, requests)) })
    }

    fn moment(&self) -> std::sync::MutexGuard<'_, (Moment, u64)> {
        self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the time from the next request on. Later requests draw ids that follow from the seed and
    /// from the number of requests before, whatever each of them needed.
    pub fn set_moment(&self, moment: Moment) {
        *self.moment() = (moment, 0);
    }

    /// Sets the switches; `waits` and `one_at_a_time` have no effect here.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn set_switches(&self, switches: Switches) -> Result<()> {
        self.now(|kernel| kernel.switch(switches)).map_err(start_error)
    }

    /// Runs `f` at the moment of the next request.
    fn now<T>(&self, f: impl FnOnce(&Kernel) -> T) -> T {
        let moment = {
            let mut guard = self.moment();
            let (moment, requests) = *guard;
            guard.1 += 1;
            // A wide gap keeps the random numbers of two requests apart.
            Moment { seed: moment.seed.wrapping_add(requests.wrapping_mul(0x9e37_79b9_7f4a_7c15)), ..moment }
        };
        moment::at(moment, || f(&self.kernel))
    }

    /// Answers a request with a JSON body.
    #[must_use]
    pub fn answer(&self, path: &str, body: &[u8]) -> Answer {
        self.run(path, body, None)
    }

    /// Answers `/api/file/putFile`.
    #[must_use]
    pub fn put_file(&self, path: &str, bytes: &[u8]) -> Answer {
        self.run("/api/file/putFile", &[], Some(FormPart::file(path, bytes)))
    }

    /// Lays out a desk in an open notebook; for `wants` see [`Desk::lay_out`].
    ///
    /// # Errors
    /// When the kernel refuses it.
    pub fn desk(&self, notebook: &str, title: &str, wants: impl Fn(&str) -> bool) -> Result<Desk> {
        let ask = |path: &str, sent: RequestBody<'_>| {
            let (body, form) = sent.parts();
            Ok(self.run(path, &body, form).body)
        };
        Desk::lay_out(ask, notebook, title, wants)
    }

    fn run(&self, path: &str, body: &[u8], form: Option<Vec<FormPart>>) -> Answer {
        match table::find(path) {
            Some(endpoint) => self.now(|kernel| endpoint.handler.answer(kernel, path, body, form)),
            None => Answer::json(200, Err(Refusal::not_here(path))),
        }
    }

    /// Everything stored, by name: documents, notebooks, databases, decks, and the place of each block.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn dump(&self) -> Result<BTreeMap<String, String>> {
        self.kernel.store.dump().map_err(start_error)
    }

    /// Makes a document one that the kernel could not load: its file is there, and nothing else knows of it.
    ///
    /// # Errors
    /// When there is no such document, or its file cannot be written.
    pub fn unload(&self, id: &str) -> Result<()> {
        let unload = |kernel: &Kernel| {
            let tree = kernel.store.read(|db| db.need_tree(id))?;
            kernel.write_file(
                &format!("/data/{}{}", tree.notebook, tree.path),
                sy::document(&tree.root).as_bytes(),
            )?;
            kernel.store.write(|db| db.remove_tree(&tree))
        };
        self.now(unload).map_err(start_error)
    }

    /// Makes a notebook as if nothing had ever been in it. Data about it elsewhere is kept:
    /// references to its blocks, for instance.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn empty_notebook(&self, id: &str) -> Result<()> {
        self.now(|kernel| kernel.store.write(|db| db.empty_notebook(id))).map_err(start_error)
    }
}

fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut folders: Vec<(PathBuf, PathBuf)> = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        std::fs::create_dir_all(&to)?;
        for entry in std::fs::read_dir(&from)? {
            let entry = entry?;
            let (path, target) = (entry.path(), to.join(entry.file_name()));
            if entry.file_type()?.is_dir() {
                folders.push((path, target));
            } else {
                std::fs::copy(&path, &target)?;
                let changed = path.metadata()?.modified()?;
                std::fs::File::options().write(true).open(target)?.set_modified(changed)?;
            }
        }
    }
    Ok(())
}
