//! The tables for programs: as a JSON Schema, and as SQL.
use super::{Kind, Table, VERSION};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The JSON Schema of the rows of one table, as `ndjson` writes them, or of those of several.
pub fn as_json_schema(tables: &[&Table]) -> Value {
    let mut schema = if let [table] = tables {
        of_row(table)
    } else {
        let definitions: Map<String, Value> =
            tables.iter().map(|table| (table.name.to_owned(), of_row(table))).collect();
        json!({ "$defs": definitions })
    };
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["version"] = VERSION.into();
    schema
}

fn of_row(table: &Table) -> Value {
    let property = |field: &super::Field| {
        let kind = match field.kind {
            Kind::Text => "string",
            Kind::Integer => "integer",
            Kind::Flag => "boolean",
        };
        let kind = if field.is_known { json!(kind) } else { json!([kind, "null"]) };
        (field.name.to_owned(), json!({ "type": kind, "description": field.about }))
    };
    let names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
    json!({
        "title": table.name,
        "description": table.about,
        "type": "object",
        "properties": table.fields.iter().map(property).collect::<Map<_, _>>(),
        "required": names,
        "additionalProperties": false,
    })
}

/// The statement of SQL that makes a table.
pub fn as_sql(table: &Table) -> String {
    let mut text =
        format!("-- {} Version {VERSION}.\nCREATE TABLE {} (\n", table.about, table.name);
    for (at, field) in table.fields.iter().enumerate() {
        let kind = match field.kind {
            Kind::Text => "TEXT",
            Kind::Integer => "BIGINT",
            Kind::Flag => "BOOLEAN",
        };
        let known = if field.is_known { " NOT NULL" } else { "" };
        let comma = if at + 1 == table.fields.len() { "" } else { "," };
        let _ = writeln!(text, "  \"{}\" {kind}{known}{comma} -- {}", field.name, field.about);
    }
    text + ");\n"
}
