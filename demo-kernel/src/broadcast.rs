//! Channels between pages and programs: who listens, and what was said.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A message as a listener gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// Rises over all channels while there are listeners.
    pub(crate) number: u64,
    pub(crate) channel: String,
    pub(crate) text: String,
}

/// All channels of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Channels(Mutex<ChannelState>);

#[derive(Debug, Default)]
struct ChannelState {
    next: u64,
    said: u64,
    listeners: BTreeMap<u64, Listener>,
    /// Names stay known when the last listener has gone.
    names: Vec<String>,
}

#[derive(Debug)]
struct Listener {
    channels: Vec<String>,
    sender: UnboundedSender<Message>,
}

/// The place of one listener; it leaves when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    channels: Arc<Channels>,
    pub(crate) id: u64,
    pub(crate) messages: UnboundedReceiver<Message>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.channels.state();
        state.listeners.remove(&self.id);
        if state.listeners.is_empty() {
            state.said = 0;
        }
    }
}

impl Channels {
    fn state(&self) -> MutexGuard<'_, ChannelState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a seat on channels.
    pub(crate) fn join(self: &Arc<Self>, channels: Vec<String>) -> Seat {
        let (sender, messages) = unbounded_channel();
        let mut state = self.state();
        state.next += 1;
        let id = state.next;
        for name in &channels {
            if !state.names.contains(name) {
                state.names.push(name.clone());
            }
        }
        state.listeners.insert(id, Listener { channels, sender });
        Seat { channels: Arc::clone(self), id, messages }
    }

    /// Sends a message to all on a channel except the sender; returns the number of listeners.
    pub(crate) fn say(&self, channel: &str, text: &str, speaker: Option<u64>) -> usize {
        let mut state = self.state();
        let count = state.count(channel);
        if count > 0 {
            state.said += 1;
        }
        let message = Message { number: state.said, channel: channel.to_owned(), text: text.to_owned() };
        for (id, listener) in &state.listeners {
            if Some(*id) != speaker && listener.channels.iter().any(|name| name == channel) {
                // A listener that is just leaving misses nothing it could have read.
                let _ = listener.sender.send(message.clone());
            }
        }
        count
    }

    /// Sends a message on every channel but one.
    pub(crate) fn say_to_others(&self, channel: &str, text: &str) {
        for (name, _) in self.all().iter().filter(|(name, _)| name != channel) {
            self.say(name, text, None);
        }
    }

    /// Every known channel with its listeners.
    fn all(&self) -> Vec<(String, usize)> {
        let state = self.state();
        state.names.iter().map(|name| (name.clone(), state.count(name))).collect()
    }
}

impl ChannelState {
    fn count(&self, channel: &str) -> usize {
        self.listeners
            .values()
            .filter(|listener| listener.channels.iter().any(|name| name == channel))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcast_reaches_all_but_its_sender() {
        let channels = Arc::new(Channels::default());
        let (mut a, mut b) = (channels.join(vec!["c".into()]), channels.join(vec!["c".into(), "d".into()]));
        assert_eq!(channels.say("c", "hello", Some(a.id)), 2);
        assert!(a.messages.try_recv().is_err());
        assert_eq!(b.messages.try_recv().unwrap().text, "hello");
        drop(a);
        assert_eq!(channels.all(), [("c".to_owned(), 1), ("d".to_owned(), 1)]);
        assert_eq!(channels.say("nobody", "x", None), 0);
    }
}
