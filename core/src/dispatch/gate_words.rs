//! The texts of gates for a model whose call was stopped, for every way in which a person is asked in SiYuan.

/// The explanation after a no in SiYuan.
pub const DENIED: &str = "The person denied it in SiYuan.";
/// The explanation after a timeout.
pub const NO_ANSWER: &str = "The question was not answered in time.";
/// The explanation while no further question has room in SiYuan.
pub const FULL: &str = "Too many questions are waiting in SiYuan. Tell the person to answer some there, then send the same call again.";
/// The end of the explanation after a no or a timeout.
pub const FINAL: &str = "Nothing was changed. Do not try again unless the person asks for it.";

/// The explanation while the person has refused several questions in a row.
pub fn braked(seconds: u64) -> String {
    format!(
        "The person denied the last questions in SiYuan, so no question is shown there for {seconds} more seconds. After that time, ask the person before you send this call again."
    )
}
