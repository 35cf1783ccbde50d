//! Reads the id of a request out of a message that is too long to be kept: byte by byte, in constant memory, wherever the
//! id stands.

use serde_json::Value;

/// The maximum length of a name that is compared, in bytes; each letter of `method` may be escaped.
const NAME: usize = 64;
/// The maximum length of an id, in bytes.
const ID: usize = 2 * 1024;
/// The byte order mark that some programs write before their first message.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The part of a message that has been read.
#[derive(Debug, Default)]
pub(crate) struct Skim {
    /// The number of objects and lists that are open.
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
    /// Whether the next text in the outermost object is a name.
    expects_name: bool,
    /// Whether anything but blanks was read.
    has_begun: bool,
    /// Whether it is no object, or continues after its end.
    is_wrong: bool,
    read: u64,
    field: Field,
    /// The name or the value that is being read, as it is written; it is cut a little beyond its limit.
    kept: Vec<u8>,
    ids: usize,
    id: Option<Value>,
    is_request: bool,
}

/// The field of the outermost object whose value is being read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Field {
    Id,
    Method,
    #[default]
    Other,
}

impl Skim {
    /// Reads the next part.
    pub(crate) fn feed(&mut self, part: &[u8]) {
        for byte in part {
            let is_mark = BYTE_ORDER_MARK.get(usize::try_from(self.read).unwrap_or(usize::MAX));
            self.read += 1;
            if is_mark != Some(byte) || self.has_begun {
                self.step(*byte);
            }
        }
    }

    fn step(&mut self, byte: u8) {
        if self.is_in_text {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return,
            _ if self.has_begun => self.is_wrong |= self.depth == 0,
            _ => self.is_wrong |= byte != b'{',
        }
        self.has_begun = true;
        match byte {
            b'"' => {
                self.is_in_text = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
                if self.depth == 1 {
                    self.begin_name();
                }
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_value();
                }
                self.depth = self.depth.saturating_sub(1);
                self.keep(byte);
            }
            b',' if self.depth == 1 => {
                self.end_value();
                self.begin_name();
            }
            b':' if self.depth == 1 && self.expects_name => self.end_name(),
            _ => self.keep(byte),
        }
    }

    /// Keeps a byte of a name or of a value that counts.
    fn keep(&mut self, byte: u8) {
        let most = match (self.expects_name, self.field) {
            (true, _) => NAME,
            (false, Field::Id) => ID,
            (false, Field::Method) => 1,
            (false, Field::Other) => return,
        };
        if self.kept.len() <= most {
            self.kept.push(byte);
        }
    }

    fn begin_name(&mut self) {
        (self.expects_name, self.field) = (true, Field::Other);
        self.kept.clear();
    }

    fn end_name(&mut self) {
        let name: Option<String> = serde_json::from_slice(&self.kept).ok();
        self.field = match name.as_deref() {
            Some("id") => Field::Id,
            Some("method") => Field::Method,
            _ => Field::Other,
        };
        self.expects_name = false;
        self.kept.clear();
    }

    fn end_value(&mut self) {
        match self.field {
            Field::Id => {
                self.ids += 1;
                self.id = serde_json::from_slice(&self.kept).ok();
            }
            Field::Method => self.is_request = self.kept.first() == Some(&b'"'),
            Field::Other => {}
        }
        (self.expects_name, self.field) = (false, Field::Other);
        self.kept.clear();
    }

    /// The id of the request, if what was read has exactly one. The id of an answer names one of our questions and does
    /// not count; nor does an id whose end was not read.
    pub(crate) fn id(self) -> Option<Value> {
        let is_known = !self.is_wrong && self.is_request && self.ids == 1;
        self.id.filter(|id| is_known && (id.is_string() || id.is_number()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn id(text: &str) -> Option<Value> {
        let mut skim = Skim::default();
        skim.feed(text.as_bytes());
        skim.id()
    }

    /// B-141: the id counts wherever it stands, also where the message was cut after it.
    #[test]
    fn id_of_a_request_is_found_wherever_it_stands() {
        let rest = r#""params":{"name":"fs","arguments":{"markdown":"xxx"#;
        let whole = r#""params":{"id":3,"arguments":{"markdown":"\\\",\"id\":9}"}}"#;
        for (text, expected) in [
            (format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call",{rest}"#), json!(7)),
            (format!(r#"{{"method":"tools/call","id":"a-\u00e9","jsonrpc":"2.0",{rest}"#), json!("a-é")),
            (format!(r#"{{"id":-1,"params":{{"id":3}},"method":"x",{rest}"#), json!(-1)),
            (format!(r#"{{"jsonrpc":"2.0","method":"tools/call",{whole},"id":12}}"#), json!(12)),
            (
                format!("\u{feff} {{ \"method\" : \"x\", {whole}, \"\\u0069d\" : \"}}\\\"{{\" }} \r\n"),
                json!("}\"{"),
            ),
        ] {
            assert_eq!(id(&text), Some(expected), "{text}");
        }
        // An id that is truncated, belongs to an answer, appears twice, has another type, or is absent.
        for none in [
            rest.to_owned(),
            format!("{{{rest}"),
            r#"{"method":"x","id":12"#.to_owned(),
            r#"{"method":"x","id":"12"#.to_owned(),
            format!(r#"{{"id":7,"result":{{}},{rest}"#),
            format!(r#"{{"method":"x","id":7,"id":8,{rest}"#),
            format!(r#"{{"method":"x","id":7,{whole},"id":7}}"#),
            format!(r#"{{"method":"x","id":[7],{rest}"#),
            format!(r#"{{"method":"x","id":null,{rest}"#),
            format!(r#"{{"method":7,"id":7,{rest}"#),
            format!(r#"[{{"id":7,"method":"x",{rest}"#),
            format!(r#"{{"method":"x",{whole}}}"#),
            r#"{"method":"x","id":7}{}"#.to_owned(),
            format!(r#"{{"method":"x","id":"{}"}}"#, "x".repeat(ID)),
            String::new(),
        ] {
            assert_eq!(id(&none), None, "{none}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],:\u{e9} \n]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("(id|method|[a-z\"{]{0,3})", inner), 0..4)
                    .prop_map(|all| Value::Object(all.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// In pieces of any size a whole message has the id that a parser of the whole finds.
        #[test]
        fn id_is_the_one_that_a_parser_finds(
            fields in prop::collection::vec(("(id|method|params|\\\\u0069d)", value()), 0..5),
            is_pretty in any::<bool>(),
            size in 1_usize..7,
        ) {
            let text = |value: &Value| if is_pretty {
                serde_json::to_string_pretty(value).unwrap()
            } else {
                value.to_string()
            };
            let written: Vec<String> =
                fields.iter().map(|(name, value)| format!("\"{name}\":{}", text(value))).collect();
            let message = format!("{{{}}}", written.join(","));
            let ids: Vec<&Value> =
                fields.iter().filter(|(name, _)| name != "method" && name != "params").map(|it| &it.1).collect();
            let method = fields.iter().rev().find(|(name, _)| name == "method").map(|it| &it.1);
            let expected = match ids.as_slice() {
                [id] if method.is_some_and(Value::is_string) && (id.is_string() || id.is_number()) => {
                    Some((*id).clone())
                }
                _ => None,
            };
            let mut skim = Skim::default();
            message.as_bytes().chunks(size).for_each(|part| skim.feed(part));
            prop_assert_eq!(skim.id(), expected, "{}", message);
        }

        /// Any bytes are read, and little of them is kept.
        #[test]
        fn any_bytes_are_read_in_constant_memory(bytes in prop::collection::vec(any::<u8>(), 0..5_000)) {
            let mut skim = Skim::default();
            skim.feed(b"{\"id\":\"");
            skim.feed(&bytes);
            prop_assert!(skim.kept.len() <= ID + 1);
        }
    }
}
