//! Executes the tree of a template.

use super::call::Failure;
use super::functions;
use super::times;
use super::tree::{Arg, Command, Pipe, TemplateNode, TemplateTree};
use super::value::Any;
use crate::answer::Refusal;
use crate::store::Db;

/// No template may write more than this, nor nest deeper.
const LIMIT: usize = 4 << 20;
const DEPTH: usize = 100;

struct Run<'r> {
    db: &'r Db<'r>,
    tree: &'r TemplateTree,
    out: String,
    variables: Vec<(String, Any)>,
    depth: usize,
}

/// Whether a list of nodes went on to its end.
#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Continue,
}

pub(super) fn run(db: &Db<'_>, tree: &TemplateTree, data: &Any) -> Result<String, Refusal> {
    let variables = vec![("$".to_owned(), data.clone())];
    let mut run = Run { db, tree, out: String::new(), variables, depth: 0 };
    run.nodes(&tree.nodes, data)?;
    Ok(run.out)
}

fn fail(command: &Command, at: &str, message: &str) -> Refusal {
    let (line, column) = command.at;
    Refusal::new(format!("template: :{line}:{column}: executing \"\" at <{at}>: {message}"))
}

impl Run<'_> {
    fn nodes(&mut self, nodes: &[TemplateNode], dot: &Any) -> Result<Flow, Refusal> {
        for node in nodes {
            let known = self.variables.len();
            let flow = match node {
                TemplateNode::Text(text) => {
                    self.out += text;
                    Flow::On
                }
                TemplateNode::Action(pipe) => {
                    let value = self.pipe(pipe, dot)?;
                    if pipe.variables.is_empty() {
                        self.out += &value.show();
                    }
                    Flow::On
                }
                TemplateNode::If { pipe, then, otherwise } => {
                    let value = self.pipe(pipe, dot)?;
                    self.nodes(if value.is_true() { then } else { otherwise }, dot)?
                }
                TemplateNode::With { pipe, then, otherwise } => {
                    let value = self.pipe(pipe, dot)?;
                    if value.is_true() { self.nodes(then, &value)? } else { self.nodes(otherwise, dot)? }
                }
                TemplateNode::Range { pipe, then, otherwise } => self.range(pipe, then, otherwise, dot)?,
                TemplateNode::Template { name, pipe } => {
                    let value = pipe.as_ref().map_or(Ok(Any::Nil), |pipe| self.pipe(pipe, dot))?;
                    self.template(name, &value)?;
                    Flow::On
                }
                TemplateNode::Break => Flow::Break,
                TemplateNode::Continue => Flow::Continue,
            };
            if !matches!(node, TemplateNode::Action(_)) {
                self.variables.truncate(known);
            }
            if flow != Flow::On {
                return Ok(flow);
            }
            if self.out.len() > LIMIT {
                return Err(Refusal::not_here("templates that write more than 4 MiB"));
            }
        }
        Ok(Flow::On)
    }

    fn template(&mut self, name: &str, value: &Any) -> Result<(), Refusal> {
        let tree = self.tree;
        let Some(body) = tree.defined.get(name) else {
            return Err(Refusal::new(format!("template: :1: template \"{name}\" not defined")));
        };
        if self.depth > DEPTH {
            return Err(Refusal::new("template: exceeded maximum template depth (100000)"));
        }
        self.depth += 1;
        let variables = std::mem::replace(&mut self.variables, vec![("$".to_owned(), value.clone())]);
        self.nodes(body, value)?;
        self.variables = variables;
        self.depth -= 1;
        Ok(())
    }

    fn range(
        &mut self,
        pipe: &Pipe,
        then: &[TemplateNode],
        otherwise: &[TemplateNode],
        dot: &Any,
    ) -> Result<Flow, Refusal> {
        let value = self.commands(&pipe.commands, dot)?;
        let entries: Vec<(Any, Any)> = match &value {
            Any::List(items) => {
                items.iter().enumerate().map(|(at, item)| (Any::Int(at as i64), item.clone())).collect()
            }
            Any::Map(map) => map.iter().map(|(key, item)| (Any::text(key), item.clone())).collect(),
            Any::Int(count) => (0..*count).map(|at| (Any::Int(at), Any::Int(at))).collect(),
            Any::Nil | Any::Missing => Vec::new(),
            other => {
                let message = format!("range can't iterate over {}", other.plain());
                return Err(pipe
                    .commands
                    .last()
                    .map_or_else(Refusal::panicked, |command| fail(command, &command.show(), &message)));
            }
        };
        if entries.is_empty() {
            return self.nodes(otherwise, dot);
        }
        for (key, item) in entries {
            let known = self.variables.len();
            match pipe.variables.as_slice() {
                [one] => self.variables.push((one.clone(), item.clone())),
                [first, second, ..] => {
                    self.variables.push((first.clone(), key));
                    self.variables.push((second.clone(), item.clone()));
                }
                [] => {}
            }
            let flow = self.nodes(then, &item)?;
            self.variables.truncate(known);
            if flow == Flow::Break {
                break;
            }
        }
        Ok(Flow::On)
    }

    fn pipe(&mut self, pipe: &Pipe, dot: &Any) -> Result<Any, Refusal> {
        let value = self.commands(&pipe.commands, dot)?;
        for name in &pipe.variables {
            let known = self.variables.iter_mut().rev().find(|(known, _)| known == name);
            match known.filter(|_| pipe.assigns) {
                Some((_, known)) => known.clone_from(&value),
                None => self.variables.push((name.clone(), value.clone())),
            }
        }
        Ok(value)
    }

    fn commands(&mut self, commands: &[Command], dot: &Any) -> Result<Any, Refusal> {
        let mut value = None;
        for command in commands {
            value = Some(self.command(command, dot, value)?);
        }
        Ok(value.unwrap_or(Any::Nil))
    }

    fn command(&mut self, command: &Command, dot: &Any, last: Option<Any>) -> Result<Any, Refusal> {
        let Some((first, rest)) = command.args.split_first() else { return Ok(Any::Nil) };
        if let Arg::Function(name) = first {
            if matches!(name.as_str(), "and" | "or") {
                return self.and_or(name == "and", command, rest, dot, last);
            }
            let mut args =
                rest.iter().map(|arg| self.arg(command, arg, dot)).collect::<Result<Vec<_>, _>>()?;
            args.extend(last);
            return functions::call(self.db, name, &args).map_err(|failure| match failure {
                Failure::Count(want) => {
                    let message = format!("wrong number of args for {name}: want {want} got {}", args.len());
                    fail(command, name, &message)
                }
                Failure::Message(message) => {
                    fail(command, &command.show(), &format!("error calling {name}: {message}"))
                }
                Failure::NotHere => Refusal::not_here(&format!("the template function {name}")),
                Failure::Refused(refusal) => refusal,
            });
        }
        let fields = match first {
            Arg::Nil if rest.is_empty() => return Err(fail(command, "nil", "nil is not a command")),
            Arg::Field(fields) | Arg::Variable(_, fields) | Arg::Group(_, fields) => fields.as_slice(),
            _ => &[],
        };
        // Only a method has arguments: the last field.
        let mut args = rest.iter().map(|arg| self.arg(command, arg, dot)).collect::<Result<Vec<_>, _>>()?;
        args.extend(last);
        let Some((method, before)) = fields.split_last().filter(|_| !args.is_empty()) else {
            return self.arg(command, first, dot);
        };
        let base = self.base(command, first, dot)?;
        let base = self.fields(command, base, before)?;
        field(command, &base, method, &args)
    }

    /// These two evaluate no more arguments than necessary.
    fn and_or(
        &mut self,
        and: bool,
        command: &Command,
        rest: &[Arg],
        dot: &Any,
        last: Option<Any>,
    ) -> Result<Any, Refusal> {
        let mut value = Any::Nil;
        for arg in rest {
            value = self.arg(command, arg, dot)?;
            if value.is_true() != and {
                return Ok(value);
            }
        }
        Ok(last.unwrap_or(value))
    }

    fn arg(&mut self, command: &Command, arg: &Arg, dot: &Any) -> Result<Any, Refusal> {
        let base = self.base(command, arg, dot)?;
        match arg {
            Arg::Field(fields) | Arg::Variable(_, fields) | Arg::Group(_, fields) => {
                self.fields(command, base, fields)
            }
            _ => Ok(base),
        }
    }

    fn base(&mut self, command: &Command, arg: &Arg, dot: &Any) -> Result<Any, Refusal> {
        Ok(match arg {
            Arg::Dot | Arg::Field(_) => dot.clone(),
            Arg::Nil => Any::Nil,
            Arg::Literal(value, _) => value.clone(),
            Arg::Variable(name, _) => {
                let known = self.variables.iter().rev().find(|(known, _)| known == name);
                known.map_or(Any::Nil, |(_, value)| value.clone())
            }
            Arg::Function(name) => {
                let alone = Command { args: vec![Arg::Function(name.clone())], at: command.at };
                self.command(&alone, dot, None)?
            }
            Arg::Group(pipe, _) => self.pipe(pipe, dot)?,
        })
    }

    fn fields(&self, command: &Command, mut value: Any, names: &[String]) -> Result<Any, Refusal> {
        for name in names {
            value = field(command, &value, name, &[])?;
        }
        Ok(value)
    }
}

fn field(command: &Command, value: &Any, name: &str, args: &[Any]) -> Result<Any, Refusal> {
    match value {
        Any::Map(map) => Ok(map.get(name).cloned().unwrap_or(Any::Missing)),
        Any::Nil | Any::Missing => Ok(Any::Missing),
        Any::Time(time) => match times::method(*time, name, args)? {
            Some(value) => Ok(value),
            None => Err(no_field(command, value, name)),
        },
        _ => Err(no_field(command, value, name)),
    }
}

fn no_field(command: &Command, value: &Any, name: &str) -> Refusal {
    fail(command, &command.show(), &format!("can't evaluate field {name} in type {}", value.type_name()))
}
