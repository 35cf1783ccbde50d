//! The news of a command that changed settings: servers that listen on the channel read them again at once.

use std::time::Duration;

use puppy_core::channel::{CHANNEL, Key, Message, PeerId, SignedMessage};
use puppy_core::kernel::KernelError;

use super::random;
use crate::kernel::HttpKernel;

/// The time that it may take; a server that receives nothing checks by itself within half a minute.
const PATIENCE: Duration = Duration::from_secs(2);

/// Announces that files of settings were written. It fails quietly: the files are what counts.
pub(crate) async fn announce(kernel: &HttpKernel, files: &[&str]) {
    match tokio::time::timeout(PATIENCE, send(kernel, files)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!("the change was not announced: {error:?}"),
        Err(_) => tracing::debug!("the change was not announced in time"),
    }
}

async fn send(kernel: &HttpKernel, files: &[&str]) -> Result<(), KernelError> {
    // Without a key nobody listens.
    let Some(key) = Key::read(kernel).await? else { return Ok(()) };
    let files = files.iter().map(|&it| it.to_owned()).collect();
    let message =
        SignedMessage::new(PeerId::of(random()), 1, Vec::new(), Message::Changed { files, ticket: None });
    kernel.socket(CHANNEL).await?.send(message.to_text(&key)).await;
    Ok(())
}
