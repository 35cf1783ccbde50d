//! Operations on the view that a block shows, and the check whether the kernel stored them.

use crate::kernel::api::av::{Operation, View, ViewFilter};

/// Operations on the view that a block shows, and the settings that the view has after them.
#[derive(Debug, Default, Hash)]
pub(super) struct Setting {
    pub(super) operations: Vec<Operation>,
    pub(super) wanted: Vec<Wanted>,
}

/// A setting with its value. Conditions and calculations are pairs of a column and the kernel's operator, sorts of a
/// column and its order.
#[derive(Debug, Hash)]
pub(super) enum Wanted {
    Name(String),
    Layout(&'static str),
    Filters(Vec<(String, String)>),
    Sorts(Vec<(String, String)>),
    /// The column and the kernel's number for the kind of grouping.
    Group(Option<(String, u64)>),
    /// Columns, sorted by their ids.
    Hidden(Vec<String>),
    Order(Vec<String>),
    Calc(Vec<(String, String)>),
    PageSize(u64),
}

impl Setting {
    pub(super) fn add(&mut self, wanted: Wanted, operation: Operation) {
        self.operations.push(operation);
        self.wanted.push(wanted);
    }

    /// The settings that a view has now, and those that it lacks although the kernel reported success.
    pub(super) fn found(&self, view: &View) -> (Vec<&'static str>, Vec<&'static str>) {
        let (found, lost): (Vec<_>, Vec<_>) = self.wanted.iter().partition(|it| it.is_in(view));
        (found.into_iter().map(Wanted::word).collect(), lost.into_iter().map(Wanted::word).collect())
    }
}

impl Wanted {
    /// The name of its argument.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Wanted::Name(_) => "name",
            Wanted::Layout(_) => "layout",
            Wanted::Filters(_) => "filters",
            Wanted::Sorts(_) => "sorts",
            Wanted::Group(_) => "group",
            Wanted::Hidden(_) => "hidden",
            Wanted::Order(_) => "order",
            Wanted::Calc(_) => "calc",
            Wanted::PageSize(_) => "page_size",
        }
    }

    fn is_in(&self, view: &View) -> bool {
        match self {
            Wanted::Name(name) => view.name == *name,
            Wanted::Layout(layout) => view.layout == *layout,
            Wanted::Filters(wanted) => ViewFilter::conditions(&view.filters).into_iter().eq(pairs(wanted)),
            Wanted::Sorts(wanted) => {
                view.sorts.iter().map(|it| (it.column.as_str(), it.order.as_str())).eq(pairs(wanted))
            }
            Wanted::Group(wanted) => {
                let group = view.group.as_ref().filter(|it| !it.field.is_empty());
                let group = group.map(|it| (it.field.as_str(), it.method));
                group == wanted.as_ref().map(|(field, method)| (field.as_str(), *method))
            }
            Wanted::Hidden(wanted) => {
                let hidden = view.fields().iter().filter(|it| it.hidden);
                let mut ids: Vec<&str> = hidden.map(|it| it.id.as_str()).collect();
                ids.sort_unstable();
                ids == *wanted
            }
            Wanted::Order(wanted) => view.fields().iter().map(|it| &it.id).eq(wanted),
            Wanted::Calc(wanted) => calculations(view) == *wanted,
            Wanted::PageSize(size) => view.page_size == *size,
        }
    }
}

fn pairs(all: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    all.iter().map(|(one, other)| (one.as_str(), other.as_str()))
}

/// The calculations of a view in the order of its columns: ids of columns with the kernel's operators.
pub(super) fn calculations(view: &View) -> Vec<(String, String)> {
    let calculated = view.fields().iter().filter_map(|it| Some((&it.id, &it.calc.as_ref()?.operator)));
    let set = calculated.filter(|(_, operator)| !operator.is_empty());
    set.map(|(id, operator)| (id.clone(), operator.clone())).collect()
}
