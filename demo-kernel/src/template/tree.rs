//! The tree of a template.

use std::collections::BTreeMap;

use super::value::Any;

#[derive(Debug, Default)]
pub(super) struct TemplateTree {
    pub(super) nodes: Vec<TemplateNode>,
    pub(super) defined: BTreeMap<String, Vec<TemplateNode>>,
}

#[derive(Debug)]
pub(super) enum TemplateNode {
    Text(String),
    Action(Pipe),
    If { pipe: Pipe, then: Vec<TemplateNode>, otherwise: Vec<TemplateNode> },
    With { pipe: Pipe, then: Vec<TemplateNode>, otherwise: Vec<TemplateNode> },
    Range { pipe: Pipe, then: Vec<TemplateNode>, otherwise: Vec<TemplateNode> },
    Template { name: String, pipe: Option<Pipe> },
    Break,
    Continue,
}

/// Commands that hand their value on, perhaps into variables.
#[derive(Debug, Default)]
pub(super) struct Pipe {
    pub(super) variables: Vec<String>,
    /// Whether the variables are there already.
    pub(super) assigns: bool,
    pub(super) commands: Vec<Command>,
}

#[derive(Debug)]
pub(super) struct Command {
    pub(super) args: Vec<Arg>,
    /// The position at which it begins: line and column.
    pub(super) at: (usize, usize),
}

#[derive(Debug)]
pub(super) enum Arg {
    Dot,
    Nil,
    Literal(Any, String),
    Field(Vec<String>),
    Variable(String, Vec<String>),
    Function(String),
    Group(Pipe, Vec<String>),
}

impl Arg {
    pub(super) fn show(&self) -> String {
        let fields = |fields: &[String]| fields.iter().map(|field| format!(".{field}")).collect::<String>();
        match self {
            Arg::Dot => ".".into(),
            Arg::Nil => "nil".into(),
            Arg::Literal(_, source) => source.clone(),
            Arg::Field(names) => fields(names),
            Arg::Variable(name, names) => name.clone() + &fields(names),
            Arg::Function(name) => name.clone(),
            Arg::Group(pipe, names) => {
                let commands: Vec<_> = pipe.commands.iter().map(Command::show).collect();
                format!("({}){}", commands.join(" | "), fields(names))
            }
        }
    }
}

impl Command {
    pub(super) fn show(&self) -> String {
        self.args.iter().map(Arg::show).collect::<Vec<_>>().join(" ")
    }
}

impl TemplateTree {
    /// The first names of all fields, and texts that `index .` is asked for.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.nodes.iter().for_each(|node| names_of_node(node, &mut names));
        names
    }
}

fn names_of_node(node: &TemplateNode, names: &mut Vec<String>) {
    match node {
        TemplateNode::Action(pipe) => names_of(pipe, names),
        TemplateNode::If { pipe, then, otherwise }
        | TemplateNode::With { pipe, then, otherwise }
        | TemplateNode::Range { pipe, then, otherwise } => {
            names_of(pipe, names);
            then.iter().chain(otherwise).for_each(|node| names_of_node(node, names));
        }
        _ => {}
    }
}

fn names_of(pipe: &Pipe, names: &mut Vec<String>) {
    for command in &pipe.commands {
        if let [Arg::Function(_), Arg::Dot, Arg::Literal(Any::Text(name), _), ..] = command.args.as_slice() {
            names.push(name.clone());
        }
        for arg in &command.args {
            match arg {
                Arg::Field(fields) => names.extend(fields.first().cloned()),
                Arg::Group(pipe, _) => names_of(pipe, names),
                _ => {}
            }
        }
    }
}
