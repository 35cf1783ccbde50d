//! From the text of a template to a tree.

use super::functions;
use super::lex::{Token, next};
use super::tree::{Arg, Command, Pipe, TemplateNode, TemplateTree};
use super::value::Any;
use crate::answer::Refusal;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    left: &'t str,
    right: &'t str,
    tree: TemplateTree,
    variables: Vec<String>,
}

/// Which keyword ended a list of nodes.
#[derive(Debug, PartialEq)]
enum Stop {
    End,
    Else,
    ElseIf(&'static str),
    Text,
}

pub(super) fn parse(text: &str, (left, right): (&str, &str)) -> Result<TemplateTree, Refusal> {
    let mut parser =
        Parser { text, at: 0, left, right, tree: TemplateTree::default(), variables: vec!["$".to_owned()] };
    let (nodes, stop) = parser.list()?;
    if stop != Stop::Text {
        return Err(parser.fail(if stop == Stop::End {
            "unexpected {{end}}"
        } else {
            "unexpected {{else}}"
        }));
    }
    parser.tree.nodes = nodes;
    Ok(parser.tree)
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        (line, at - before.rfind('\n').map_or(0, |newline| newline + 1))
    }

    fn fail(&self, message: &str) -> Refusal {
        Refusal::new(format!("template: :{}: {message}", self.place(self.at).0))
    }

    /// Nodes up to a keyword that ends them.
    fn list(&mut self) -> Result<(Vec<TemplateNode>, Stop), Refusal> {
        let mut nodes = Vec::new();
        loop {
            let Some(start) = self.rest().find(self.left) else {
                nodes.push(TemplateNode::Text(self.rest().to_owned()));
                self.at = self.text.len();
                return Ok((nodes, Stop::Text));
            };
            let mut before = self.rest().get(..start).unwrap_or_default().to_owned();
            self.at += start + self.left.len();
            if self.rest().starts_with("- ") || self.rest().starts_with("-\n") {
                before.truncate(before.trim_end().len());
                self.at += 1;
            }
            nodes.push(TemplateNode::Text(before));
            if self.rest().trim_start().starts_with("/*") {
                self.comment()?;
                continue;
            }
            if let Some(stop) = self.statement(&mut nodes)? {
                return Ok((nodes, stop));
            }
        }
    }

    fn comment(&mut self) -> Result<(), Refusal> {
        let Some(end) = self.rest().find("*/") else { return Err(self.fail("unclosed comment")) };
        self.at += end + 2;
        if self.closes() { Ok(()) } else { Err(self.fail("comment ends before closing delimiter")) }
    }

    /// Steps over the right delimiter, and trims if it says so.
    fn closes(&mut self) -> bool {
        let rest = self.rest();
        let (skip, trims) = match rest.trim_start().strip_prefix('-') {
            Some(after) if after.starts_with(self.right) && self.stands_after_space() => {
                (rest.len() - after.len(), true)
            }
            _ => (rest.len() - rest.trim_start().len(), false),
        };
        if !rest.get(skip..).unwrap_or_default().starts_with(self.right) {
            return false;
        }
        self.at += skip + self.right.len();
        if trims {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
        }
        true
    }

    /// Whether there is a space before the position or at it.
    fn stands_after_space(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.ends_with(char::is_whitespace) || self.rest().starts_with(char::is_whitespace)
    }

    /// One action; returns the keyword if it ends a list.
    fn statement(&mut self, nodes: &mut Vec<TemplateNode>) -> Result<Option<Stop>, Refusal> {
        let before = self.at;
        self.skip_space();
        let known = self.variables.len();
        match self.peek_word().as_str() {
            "end" => return self.stop("end", Stop::End),
            "else" => {
                self.take_word("else");
                self.skip_space();
                for keyword in ["if", "with"] {
                    if self.peek_word() == keyword {
                        self.take_word(keyword);
                        return Ok(Some(Stop::ElseIf(keyword)));
                    }
                }
                return if self.closes() {
                    Ok(Some(Stop::Else))
                } else {
                    Err(self.fail("unexpected {{else}}"))
                };
            }
            keyword @ ("if" | "with" | "range") => {
                let keyword = ["if", "with", "range"].into_iter().find(|k| *k == keyword).unwrap_or("if");
                self.take_word(keyword);
                let node = self.branch(keyword)?;
                nodes.push(node);
                self.variables.truncate(known);
            }
            keyword @ ("break" | "continue") => {
                let node = if keyword == "break" { TemplateNode::Break } else { TemplateNode::Continue };
                self.take_word(keyword);
                self.close()?;
                nodes.push(node);
            }
            keyword @ ("define" | "block" | "template") => {
                let keyword = keyword.to_owned();
                self.take_word(&keyword);
                self.named(&keyword, nodes)?;
            }
            _ => {
                self.at = before;
                let pipe = self.pipe("command")?;
                self.close()?;
                nodes.push(TemplateNode::Action(pipe));
            }
        }
        Ok(None)
    }

    fn stop(&mut self, word: &str, stop: Stop) -> Result<Option<Stop>, Refusal> {
        self.take_word(word);
        self.close()?;
        Ok(Some(stop))
    }

    fn close(&mut self) -> Result<(), Refusal> {
        if self.closes() { Ok(()) } else { Err(self.fail("unclosed action")) }
    }

    fn branch(&mut self, keyword: &str) -> Result<TemplateNode, Refusal> {
        let pipe = self.pipe(keyword)?;
        self.close()?;
        let (then, stop) = self.list()?;
        let otherwise = match stop {
            Stop::End => Vec::new(),
            Stop::Else => {
                let (nodes, stop) = self.list()?;
                if stop != Stop::End {
                    return Err(self.fail("unexpected EOF"));
                }
                nodes
            }
            Stop::ElseIf(keyword) => vec![self.branch(keyword)?],
            Stop::Text => return Err(self.fail("unexpected EOF")),
        };
        Ok(match keyword {
            "if" => TemplateNode::If { pipe, then, otherwise },
            "with" => TemplateNode::With { pipe, then, otherwise },
            _ => TemplateNode::Range { pipe, then, otherwise },
        })
    }

    fn named(&mut self, keyword: &str, nodes: &mut Vec<TemplateNode>) -> Result<(), Refusal> {
        self.skip_space();
        let Some(Token::Text(Any::Text(name), _)) = self.token()? else {
            return Err(self.fail(&format!("unexpected token in {keyword} clause")));
        };
        self.skip_space();
        let has_pipe = keyword != "define" && !self.at_end();
        let pipe = if has_pipe { Some(self.pipe(keyword)?) } else { None };
        self.close()?;
        if keyword != "template" {
            let (body, stop) = self.list()?;
            if stop != Stop::End {
                return Err(self.fail("unexpected EOF"));
            }
            self.tree.defined.insert(name.clone(), body);
        }
        if keyword != "define" {
            nodes.push(TemplateNode::Template { name, pipe });
        }
        Ok(())
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn at_end(&self) -> bool {
        let rest = self.rest().trim_start();
        rest.starts_with(self.right)
            || rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(self.right))
    }

    fn peek_word(&self) -> String {
        self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    }

    fn take_word(&mut self, word: &str) {
        self.at += word.len();
    }

    fn pipe(&mut self, context: &str) -> Result<Pipe, Refusal> {
        let mut pipe = Pipe::default();
        self.declaration(&mut pipe)?;
        loop {
            let command = self.command()?;
            let empty = command.args.is_empty();
            if !empty {
                pipe.commands.push(command);
            }
            self.skip_space();
            if self.rest().starts_with('|') {
                self.at += 1;
                continue;
            }
            if pipe.commands.is_empty() {
                return Err(self.fail(&format!("missing value for {context}")));
            }
            return Ok(pipe);
        }
    }

    /// `$x :=`, `$x =` or `$i, $x :=`.
    fn declaration(&mut self, pipe: &mut Pipe) -> Result<(), Refusal> {
        let start = self.at;
        let mut names = Vec::new();
        loop {
            self.skip_space();
            let Some(Token::Variable(name)) = self.token()? else { break };
            names.push(name);
            self.skip_space();
            match self.token()? {
                Some(Token::Sign(',')) => {}
                Some(sign @ (Token::Declare | Token::Sign('='))) => {
                    pipe.assigns = sign != Token::Declare;
                    if !pipe.assigns {
                        self.variables.extend(names.iter().cloned());
                    }
                    pipe.variables = names;
                    return Ok(());
                }
                _ => break,
            }
        }
        self.at = start;
        Ok(())
    }

    fn command(&mut self) -> Result<Command, Refusal> {
        self.skip_space();
        let at = self.place(self.at);
        let mut args = Vec::new();
        while !self.at_end() && !self.rest().starts_with(['|', ')']) {
            if self.rest().is_empty() {
                return Err(self.fail("unclosed action"));
            }
            args.push(self.arg()?);
            self.skip_space();
        }
        Ok(Command { args, at })
    }

    fn arg(&mut self) -> Result<Arg, Refusal> {
        let Some(token) = self.token()? else { return Err(self.fail("unclosed action")) };
        Ok(match token {
            Token::Word(word) => match word.as_str() {
                "true" | "false" => Arg::Literal(Any::Bool(word == "true"), word),
                "nil" => Arg::Nil,
                _ if functions::exists(&word) && self.rest().starts_with('.') => {
                    let command = Command { args: vec![Arg::Function(word)], at: self.place(self.at) };
                    let pipe = Pipe { commands: vec![command], ..Pipe::default() };
                    Arg::Group(pipe, self.fields()?)
                }
                _ if functions::exists(&word) => Arg::Function(word),
                _ => return Err(self.fail(&format!("function \"{word}\" not defined"))),
            },
            Token::Text(value, source) => Arg::Literal(value, source),
            Token::Field(name) if name.is_empty() => Arg::Dot,
            Token::Field(name) => {
                let mut names = vec![name];
                names.extend(self.fields()?);
                Arg::Field(names)
            }
            Token::Variable(name) => {
                if !self.variables.contains(&name) {
                    return Err(self.fail(&format!("undefined variable \"{name}\"")));
                }
                Arg::Variable(name, self.fields()?)
            }
            Token::Sign('(') => {
                if self.at_end() {
                    return Err(self.fail("unclosed left paren"));
                }
                let pipe = self.pipe("parenthesized pipeline")?;
                self.skip_space();
                if self.token()? != Some(Token::Sign(')')) {
                    return Err(self.fail("unclosed left paren"));
                }
                Arg::Group(pipe, self.fields()?)
            }
            other => {
                let sign = if let Token::Sign(sign) = other { sign } else { '=' };
                return Err(self.fail(&format!("unexpected \"{sign}\" in command")));
            }
        })
    }

    fn token(&mut self) -> Result<Option<Token>, Refusal> {
        match next(self.rest()) {
            Ok(Some((token, length))) => {
                self.at += length;
                Ok(Some(token))
            }
            Ok(None) => Ok(None),
            Err(message) => Err(self.fail(&message)),
        }
    }

    /// Fields that follow without a space.
    fn fields(&mut self) -> Result<Vec<String>, Refusal> {
        let mut names = Vec::new();
        while self.rest().starts_with('.') {
            match self.token()? {
                Some(Token::Field(name)) => names.push(name),
                _ => break,
            }
        }
        Ok(names)
    }
}
