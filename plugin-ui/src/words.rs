//! Every text that the puppy and the panel show, in English and Chinese; the compiler holds that no text lacks one.

use crate::state::act::Act;
use crate::state::puppy::State;

/// All texts of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Between a name and what follows.
    pub comma: &'static str,
    /// What a screen reader calls the puppy.
    pub puppy: &'static str,
    /// Nothing happens.
    pub idle: &'static str,
    /// A call reads.
    pub reading: &'static str,
    /// A call writes.
    pub writing: &'static str,
    /// A call moves or renames.
    pub moving: &'static str,
    /// A call deletes.
    pub deleting: &'static str,
    /// A call is done.
    pub done: &'static str,
    /// A call failed.
    pub error: &'static str,
    /// A call was not allowed.
    pub not_allowed: &'static str,
    /// A call waits for a person.
    pub dangerous: &'static str,
    /// The kernel is silent.
    pub offline: &'static str,
}

/// English.
pub static EN: Words = Words {
    comma: ", ",
    puppy: "Puppy",
    idle: "idle",
    reading: "reading",
    writing: "writing",
    moving: "moving",
    deleting: "deleting",
    done: "done",
    error: "error",
    not_allowed: "not allowed",
    dangerous: "dangerous",
    offline: "SiYuan is silent",
};

/// Simplified Chinese.
pub static ZH: Words = Words {
    comma: "，",
    puppy: "小狗",
    idle: "空闲",
    reading: "正在读取",
    writing: "正在写入",
    moving: "正在移动",
    deleting: "正在删除",
    done: "完成",
    error: "出错",
    not_allowed: "不允许",
    dangerous: "危险",
    offline: "思源没有响应",
};

/// The texts of a page's language: Chinese where it is Chinese, else English.
pub fn words(lang: &str) -> &'static Words {
    if lang.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("zh")) { &ZH } else { &EN }
}

impl Words {
    /// What the puppy does, in a word or two.
    pub const fn state(&self, state: State) -> &'static str {
        match state {
            State::Idle => self.idle,
            State::Acting(Act::Reading) => self.reading,
            State::Acting(Act::Writing) => self.writing,
            State::Acting(Act::Moving) => self.moving,
            State::Acting(Act::Deleting) => self.deleting,
            State::Success => self.done,
            State::Error => self.error,
            State::Denied => self.not_allowed,
            State::Dangerous => self.dangerous,
            State::Offline => self.offline,
        }
    }
}
