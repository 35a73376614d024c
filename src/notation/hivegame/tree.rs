//! Files saved on the page for analysis: trees, of which the line of first branches is the game, and the others are its
//! variations.
use super::{broken, game_type, read_ply};
use crate::{
    finding::Finding,
    notation::json,
    record::{Record, Variation},
};
use serde_json::value::RawValue;
use std::{collections::BTreeMap, ops::Range};

/// A node with what leads on from it.
struct Node<'s> {
    children: Vec<i64>,
    parent: Option<i64>,
    /// The turn that leads to it; the first one has none.
    turn: Option<&'s RawValue>,
}

/// Reads a tree.
///
/// The new format has the nodes beside the rest, each with `id` and `move_delta`; the old one has them in `tree`, each
/// with `node_id` and `value`.
pub(super) fn read(
    source: &str,
    object: &json::Object<'_>,
    record: &mut Record,
) -> Result<(), Finding> {
    record.game_type = game_type(source, object)?;
    let nodes = object.get("nodes").copied().or_else(|| json::within(object, &["tree", "nodes"]));
    let nodes = nodes.and_then(json::array).ok_or_else(|| broken(&record.span, "`nodes`"))?;
    let mut known = BTreeMap::new();
    for raw in nodes {
        let span = json::span(source, raw);
        let read = node(raw).filter(|node| !known.contains_key(&node.0));
        let (id, node) = read.ok_or_else(|| {
            broken(&span, "a node with a number of its own, and the numbers of its children")
        })?;
        known.insert(id, node);
    }
    let root = object.get("root_id").and_then(|root| json::number(root));
    let root =
        root.or_else(|| known.iter().find(|(_, node)| node.parent.is_none()).map(|(id, _)| *id));
    let root = root.ok_or_else(|| broken(&record.span, "a node at the root"))?;
    let mut tree = Tree { source, known, branches: Vec::new(), span: record.span.clone() };
    let game = Branch { of: None, after: 0, node: root, depth: 0 };
    tree.read_line(game, None, record)?;
    // Each line that is read may add branches to those that are still to be read.
    let mut next = 0;
    while let Some(&branch) = tree.branches.get(next) {
        let mut side = Record::default();
        // What is wrong with a line costs nothing but the rest of it.
        if let Err(found) = tree.read_line(branch, Some(next), &mut side) {
            side.findings.push(found.ends_variation());
            side.is_cut = true;
        }
        record.add_variation(branch.of, branch.after, side);
        next += 1;
    }
    let is_marked = |raw: &&RawValue| !matches!(raw.get(), "{}" | "null" | "[]");
    record.has_others |= !tree.known.is_empty()
        || object.get("annotations").copied().is_some_and(|raw| is_marked(&raw));
    Ok(())
}

/// A line that is still to be read.
#[derive(Clone, Copy)]
struct Branch {
    /// The line that it leaves: a variation, or the game.
    of: Option<usize>,
    /// How many plies of that line stand before it.
    after: usize,
    /// Its first node.
    node: i64,
    /// How many lines lead to it from the game.
    depth: usize,
}

/// A tree while its lines are read.
struct Tree<'s> {
    source: &'s str,
    /// The nodes that were not read yet: a tree that bites its tail comes to one that was.
    known: BTreeMap<i64, Node<'s>>,
    branches: Vec<Branch>,
    span: Range<usize>,
}

impl Tree<'_> {
    /// Reads a line along the first branches, and notes the other ones; `line` is its place.
    fn read_line(
        &mut self,
        branch: Branch,
        line: Option<usize>,
        record: &mut Record,
    ) -> Result<(), Finding> {
        if branch.depth > Variation::DEEPEST {
            return Err(broken(&self.span, "variations that are not nested as deep"));
        }
        let Branch { after, depth, .. } = branch;
        let mut next = Some(branch.node);
        while let Some(id) = next {
            let missing = || broken(&self.span, &format!("one node with the number {id}"));
            let node = self.known.remove(&id).ok_or_else(missing)?;
            if let Some(turn) = node.turn {
                self.read_turn(turn, after == 0, record)?;
            }
            let after = after + record.plies.len();
            let mut children = node.children.into_iter();
            next = children.next();
            let branch = |node| Branch { of: line, after, node, depth: depth + 1 };
            self.branches.extend(children.map(branch));
        }
        Ok(())
    }

    /// Reads the turn that leads to a node.
    fn read_turn(
        &self,
        turn: &RawValue,
        is_from_start: bool,
        record: &mut Record,
    ) -> Result<(), Finding> {
        let span = json::span(self.source, turn);
        let word = |name| {
            let value = json::object(turn).and_then(|turn| turn.get(name).copied());
            value.and_then(json::text).unwrap_or_default()
        };
        let text = format!("{} {}", word("piece"), word("position"));
        if is_from_start {
            read_ply(&text, span, record)
        } else {
            json::read_move(text.trim(), span, record)
        }
    }
}

fn node(raw: &RawValue) -> Option<(i64, Node<'_>)> {
    let node = json::object(raw)?;
    let first = |names: &[&str]| names.iter().find_map(|name| node.get(*name).copied());
    let id = first(&["id", "node_id"]).and_then(json::number)?;
    let is_there = |raw: &&RawValue| raw.get() != "null";
    let children = match first(&["children", "children_ids"]).filter(is_there) {
        Some(children) => json::array(children)?,
        None => Vec::new(),
    };
    Some((
        id,
        Node {
            children: children.into_iter().map(json::number).collect::<Option<_>>()?,
            parent: first(&["parent", "parent_id"]).filter(is_there).and_then(json::number),
            turn: first(&["move_delta", "value"]).filter(is_there),
        },
    ))
}
