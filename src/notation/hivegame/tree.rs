//! Files saved on the page for analysis: trees, of which the line of first branches is the game.
use super::{broken, game_type, read_ply};
use crate::{finding::Finding, notation::json, record::Record};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

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
        let (id, node) = node(raw).ok_or_else(|| broken(&span, "a node with a number"))?;
        known.insert(id, node);
    }
    let root = object.get("root_id").and_then(|root| json::number(root));
    let root =
        root.or_else(|| known.iter().find(|(_, node)| node.parent.is_none()).map(|(id, _)| *id));
    let mut next = Some(root.ok_or_else(|| broken(&record.span, "a node at the root"))?);
    let mut left = known.len();
    while let Some(id) = next {
        let missing = || broken(&record.span, &format!("a node with the number {id}"));
        let node = known.get(&id).ok_or_else(missing)?;
        if left == 0 {
            break;
        }
        // A tree that bites its tail has no more turns than nodes.
        left -= 1;
        record.has_variations |= node.children.len() > 1;
        if let Some(turn) = node.turn {
            let span = json::span(source, turn);
            let word = |name| {
                let value = json::object(turn).and_then(|turn| turn.get(name).copied());
                value.and_then(json::text).unwrap_or_default()
            };
            read_ply(&format!("{} {}", word("piece"), word("position")), span, record)?;
        }
        next = node.children.first().copied();
    }
    Ok(())
}

fn node(raw: &RawValue) -> Option<(i64, Node<'_>)> {
    let node = json::object(raw)?;
    let first = |names: &[&str]| names.iter().find_map(|name| node.get(*name).copied());
    let id = first(&["id", "node_id"]).and_then(json::number)?;
    let children = first(&["children", "children_ids"]).and_then(json::array).unwrap_or_default();
    let is_there = |raw: &&RawValue| raw.get() != "null";
    Some((
        id,
        Node {
            children: children.into_iter().filter_map(json::number).collect(),
            parent: first(&["parent", "parent_id"]).filter(is_there).and_then(json::number),
            turn: first(&["move_delta", "value"]).filter(is_there),
        },
    ))
}
