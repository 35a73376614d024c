//! Rows as Apache Parquet, packed with Zstandard.
use super::{Opened, Sink, arrow::Batches};
use crate::export::{Table, Value};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::properties::WriterProperties,
};
use std::{
    io::{self, Write},
    num::NonZeroUsize,
    sync::Arc,
};

/// How many rows make a group, all of which is in memory until it is written.
pub type Groups = NonZeroUsize;

/// A file of Apache Parquet.
///
/// # Errors
///
/// Passes on the error of the stream below.
pub fn open<'w>(table: &Table, groups: Groups, out: impl Write + Send + 'w) -> Opened<'w> {
    let batches = Batches::new(table);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(groups.get()))
        .set_created_by(concat!("hivekit ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let writer = ArrowWriter::try_new(out, Arc::clone(&batches.schema), Some(properties))
        .map_err(io::Error::other)?;
    Ok(Box::new(File { batches, writer }))
}

struct File<W: Write + Send> {
    batches: Batches,
    writer: ArrowWriter<W>,
}

impl<W: Write + Send> Sink for File<W> {
    fn row(&mut self, row: Vec<Value>) -> io::Result<()> {
        match self.batches.add(row)? {
            Some(batch) => self.writer.write(&batch).map_err(io::Error::other),
            None => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if let Some(batch) = self.batches.rest()? {
            self.writer.write(&batch).map_err(io::Error::other)?;
        }
        self.writer.close().map(drop).map_err(io::Error::other)
    }
}
