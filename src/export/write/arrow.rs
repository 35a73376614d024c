//! Rows in the columns of Apache Arrow.
use super::{Opened, Out, Sink};
use crate::export::{Kind, Table, VERSION, Value};
use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{BooleanBuilder, Int64Builder, StringBuilder},
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use std::{
    collections::HashMap,
    io::{self, Write},
    sync::Arc,
};

/// How many rows are handed on at once.
const BATCH: usize = 8192;

/// A stream of the Arrow IPC format.
///
/// # Errors
///
/// Passes on the error of the stream below.
pub fn open<'w>(table: &Table, out: Out<'w>) -> Opened<'w> {
    let batches = Batches::new(table);
    let writer = StreamWriter::try_new(out, &batches.schema).map_err(plain)?;
    Ok(Box::new(Stream { batches, writer }))
}

/// The error of the stream below, which says whether its reader went away.
fn plain(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

struct Stream<W: Write> {
    batches: Batches,
    writer: StreamWriter<W>,
}

impl<W: Write> Sink for Stream<W> {
    fn row(&mut self, row: Vec<Value>) -> io::Result<()> {
        match self.batches.add(row)? {
            Some(batch) => self.writer.write(&batch).map_err(plain),
            None => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if let Some(batch) = self.batches.rest()? {
            self.writer.write(&batch).map_err(plain)?;
        }
        self.writer.finish().map_err(plain)?;
        self.writer.get_mut().flush()
    }
}

/// Rows that are put together to batches.
pub(super) struct Batches {
    pub(super) schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
}

enum Column {
    Text(StringBuilder),
    Integer(Int64Builder),
    Flag(BooleanBuilder),
}

impl Batches {
    pub(super) fn new(table: &Table) -> Batches {
        let field = |field: &crate::export::Field| {
            let kind = match field.kind {
                Kind::Text => DataType::Utf8,
                Kind::Integer => DataType::Int64,
                Kind::Flag => DataType::Boolean,
            };
            let about = HashMap::from([("description".to_owned(), field.about.to_owned())]);
            Field::new(field.name, kind, !field.is_known).with_metadata(about)
        };
        let fields: Vec<Field> = table.fields.iter().map(field).collect();
        let about = HashMap::from([("hivekit_version".to_owned(), VERSION.to_string())]);
        let columns = table.fields.iter().map(|field| match field.kind {
            Kind::Text => Column::Text(StringBuilder::new()),
            Kind::Integer => Column::Integer(Int64Builder::new()),
            Kind::Flag => Column::Flag(BooleanBuilder::new()),
        });
        Batches {
            schema: Arc::new(Schema::new_with_metadata(fields, about)),
            columns: columns.collect(),
            rows: 0,
        }
    }

    /// Adds a row; a batch, where it is full.
    pub(super) fn add(&mut self, row: Vec<Value>) -> io::Result<Option<RecordBatch>> {
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.add(&value);
        }
        self.rows += 1;
        if self.rows < BATCH { Ok(None) } else { self.rest() }
    }

    /// The rows that are left, if there are any.
    pub(super) fn rest(&mut self) -> io::Result<Option<RecordBatch>> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(None);
        }
        let columns = self.columns.iter_mut().map(Column::finish).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        batch.map(Some).map_err(plain)
    }
}

impl Column {
    fn add(&mut self, value: &Value) {
        match self {
            Column::Text(texts) => texts.append_option(value.as_text()),
            Column::Integer(numbers) => numbers.append_option(match value {
                Value::Integer(number) => Some(*number),
                _ => None,
            }),
            Column::Flag(flags) => flags.append_option(match value {
                Value::Flag(flag) => Some(*flag),
                _ => None,
            }),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Text(texts) => Arc::new(texts.finish()),
            Column::Integer(numbers) => Arc::new(numbers.finish()),
            Column::Flag(flags) => Arc::new(flags.finish()),
        }
    }
}
