//! Files that nobody sees before they are complete.
use std::{
    fs,
    io::{self, BufWriter},
    path::Path,
};
use tempfile::{Builder, NamedTempFile};

/// A file without its name.
pub(super) type Draft = BufWriter<NamedTempFile>;

/// A new file in a folder, with the rights of any other file.
pub(super) fn fresh(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".hivekit-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// A new file in the folder of `path`, with the rights of any other file.
pub(super) fn draft(path: &Path) -> io::Result<Draft> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let file = fresh(folder.unwrap_or(Path::new(".")))?;
    if let Ok(old) = fs::metadata(path) {
        // What takes the place of a file gets its rights.
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(BufWriter::new(file))
}

/// Gives a complete file its name.
pub(super) fn publish(path: &Path, draft: Draft, force: bool) -> io::Result<()> {
    let file = draft.into_inner().map_err(io::IntoInnerError::into_error)?;
    // A link stays, and what it leads to is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let path = target.as_path();
    let done = if force { file.persist(path) } else { file.persist_noclobber(path) };
    done.map(drop).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => io::Error::other(format!("cannot write {}: {}", path.display(), error.error)),
    })
}

/// What to say where a file is in the way.
pub(super) fn exists(path: &Path) -> io::Error {
    io::Error::other(format!("{} exists: --force overwrites it", path.display()))
}

/// What to say where a file that is read would be overwritten.
pub(super) fn is_read(path: &Path) -> io::Error {
    io::Error::other(format!("{} is read, and would be overwritten", path.display()))
}
