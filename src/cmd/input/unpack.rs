//! What is packed with gzip, Zstandard or zip, told by its first bytes, however deep.
use super::Input;
use std::io::{self, Cursor, Read};
#[cfg(feature = "packed")]
use std::path::{Component, Path, PathBuf};

/// How deep archives may stand in each other.
const DEEPEST: usize = 8;

/// What becomes of each stream.
type Take<'t> = &'t mut dyn FnMut(Input, io::Result<&mut dyn Read>) -> bool;

/// How a stream is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Zstandard,
    Zip,
}

impl Packing {
    fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Packing::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Packing::Zstandard),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
            _ => None,
        }
    }
}

/// Calls `take` with the stream, or with those that are packed in it, until it returns `false`; whether it wants more.
pub(super) fn each(input: &Input, reader: &mut dyn Read, take: Take<'_>) -> bool {
    within(input, reader, DEEPEST, take)
}

fn within(input: &Input, reader: &mut dyn Read, depth: usize, take: Take<'_>) -> bool {
    let mut head = Vec::new();
    if let Err(error) = Read::take(&mut *reader, 4).read_to_end(&mut head) {
        return take(input.clone(), Err(error));
    }
    let packing = Packing::of(&head);
    let mut whole = Cursor::new(head).chain(reader);
    match packing {
        Some(_) if depth == 0 => {
            let message = format!("it is packed more than {DEEPEST} times");
            take(input.clone(), Err(io::Error::other(message)))
        }
        Some(packing) => unpacked(packing, input, &mut whole, depth - 1, take),
        None if input.members.is_empty() => take(input.clone(), Ok(&mut whole)),
        None => {
            let message = format!("it is no archive with a member `{}`", input.members.join("!"));
            take(input.clone(), Err(io::Error::other(message)))
        }
    }
}

#[cfg(not(feature = "packed"))]
fn unpacked(packing: Packing, input: &Input, _: &mut dyn Read, _: usize, take: Take<'_>) -> bool {
    let message =
        format!("it is packed ({packing:?}), and this hivekit was built without `packed`");
    take(input.clone(), Err(io::Error::other(message)))
}

#[cfg(feature = "packed")]
fn unpacked(
    packing: Packing,
    input: &Input,
    reader: &mut dyn Read,
    depth: usize,
    take: Take<'_>,
) -> bool {
    match packing {
        Packing::Gzip => {
            let mut unpacked = Members::new(reader);
            within(&input.unpacked(), &mut unpacked, depth, take)
        }
        Packing::Zstandard => {
            let mut unpacked = zstandard::Frames::new(reader);
            within(&input.unpacked(), &mut unpacked, depth, take)
        }
        Packing::Zip => match members(input, reader, depth, take) {
            Ok(goes_on) => goes_on,
            Err(error) => take(input.clone(), Err(error)),
        },
    }
}

/// Goes through the members of a zip archive.
#[cfg(feature = "packed")]
fn members(input: &Input, reader: &mut dyn Read, depth: usize, take: Take<'_>) -> io::Result<bool> {
    let is_file = depth + 1 == DEEPEST && input.file.is_file();
    let file = if is_file {
        std::fs::File::open(&input.file)?
    } else {
        // The directory stands at the end, so the archive is kept in a file without a name.
        let mut file = tempfile::tempfile()?;
        io::copy(reader, &mut file)?;
        file
    };
    let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).map_err(io::Error::other)?;
    let mut is_found = input.members.is_empty();
    for at in 0..archive.len() {
        let mut member = match archive.by_index(at) {
            Ok(member) => member,
            Err(error) => {
                if !take(input.clone(), Err(io::Error::other(error))) {
                    return Ok(false);
                }
                continue;
            }
        };
        let Ok(name) = member.name().map(std::borrow::Cow::into_owned) else { continue };
        if member.is_dir() {
            continue;
        }
        // Nothing is unpacked into a folder, so a name that leads elsewhere does no harm, without the parts that do.
        let below = member.mangled_name().unwrap_or_else(|_| inner(&name));
        let Some(packed) = input.member(&name, &below) else { continue };
        is_found = true;
        if !within(&packed, &mut member, depth, take) {
            return Ok(false);
        }
    }
    if is_found {
        Ok(true)
    } else {
        Err(io::Error::other(format!("it has no member `{}`", input.members[0])))
    }
}

/// The parts of a path that lead into folders.
#[cfg(feature = "packed")]
fn inner(name: &str) -> PathBuf {
    let is_inner = |part: &Component<'_>| matches!(part, Component::Normal(_));
    Path::new(name).components().filter(is_inner).collect()
}

#[cfg(feature = "packed")]
impl Input {
    /// What is packed in this file.
    fn unpacked(&self) -> Input {
        let is_packing = |extension: &std::ffi::OsStr| {
            ["gz", "zst"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        let below = match self.below.extension() {
            Some(extension) if is_packing(extension) => self.below.with_extension(""),
            _ => self.below.clone(),
        };
        Input { below, is_packed: true, ..self.clone() }
    }

    /// A member of this archive, if it is wanted.
    fn member(&self, name: &str, below: &std::path::Path) -> Option<Input> {
        let is_wanted = |wanted: &String| {
            let rest = name.strip_prefix(wanted.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_hidden = || name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
        if !self.members.first().map_or_else(|| !is_hidden(), is_wanted) {
            return None;
        }
        let mut path = self.path.clone().into_os_string();
        path.push("!");
        path.push(name);
        Some(Input {
            path: path.into(),
            is_named: self.members.first().is_some_and(|wanted| wanted == name),
            below: self.below.with_extension("").join(below),
            file: self.file.clone(),
            is_packed: true,
            members: self.members.get(1..).unwrap_or_default().to_vec(),
        })
    }
}

/// The contents of all members of a gzip file, one after the other; what follows them is padding.
#[cfg(feature = "packed")]
struct Members<R: Read> {
    present: Option<flate2::bufread::GzDecoder<io::BufReader<R>>>,
}

#[cfg(feature = "packed")]
impl<R: Read> Members<R> {
    fn new(reader: R) -> Members<R> {
        let first = flate2::bufread::GzDecoder::new(io::BufReader::new(reader));
        Members { present: Some(first) }
    }
}

#[cfg(feature = "packed")]
impl<R: Read> Read for Members<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        use io::BufRead as _;
        while let Some(mut member) = self.present.take() {
            let read = member.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                self.present = Some(member);
                return Ok(read);
            }
            let mut rest = member.into_inner();
            if rest.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
                self.present = Some(flate2::bufread::GzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}

/// Zstandard, of which a file can hold several frames.
#[cfg(feature = "packed")]
mod zstandard {
    use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
    use std::io::{self, BufReader, Read};

    /// The contents of all frames, one after the other.
    pub(super) struct Frames<R: Read> {
        present: Option<StreamingDecoder<Source<R>, FrameDecoder>>,
        next: Option<Source<R>>,
    }

    /// Packed bytes, of which the first four can be looked at before they are read.
    struct Source<R: Read> {
        head: Vec<u8>,
        reader: BufReader<R>,
    }

    impl<R: Read> Read for Source<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            if self.head.is_empty() {
                return self.reader.read(bytes);
            }
            let count = self.head.len().min(bytes.len());
            bytes[..count].copy_from_slice(&self.head[..count]);
            self.head.drain(..count);
            Ok(count)
        }
    }

    impl<R: Read> Source<R> {
        /// Goes past what frames there are without contents; `false` where nothing follows.
        fn find_frame(&mut self) -> io::Result<bool> {
            loop {
                self.reader.by_ref().take(4).read_to_end(&mut self.head)?;
                match self.head[..] {
                    [] => return Ok(false),
                    [0x50..=0x5F, 0x2A, 0x4D, 0x18] => {
                        self.head.clear();
                        let mut length = [0; 4];
                        self.reader.read_exact(&mut length)?;
                        let length = u64::from(u32::from_le_bytes(length));
                        io::copy(&mut self.reader.by_ref().take(length), &mut io::sink())?;
                    }
                    _ => return Ok(true),
                }
            }
        }
    }

    impl<R: Read> Frames<R> {
        pub(super) fn new(reader: R) -> Frames<R> {
            let source = Source { head: Vec::new(), reader: BufReader::new(reader) };
            Frames { present: None, next: Some(source) }
        }
    }

    impl<R: Read> Read for Frames<R> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            loop {
                if let Some(mut frame) = self.present.take() {
                    let read = frame.read(bytes)?;
                    if read > 0 || bytes.is_empty() {
                        self.present = Some(frame);
                        return Ok(read);
                    }
                    self.next = Some(frame.into_inner());
                }
                let Some(mut source) = self.next.take() else { return Ok(0) };
                if !source.find_frame()? {
                    return Ok(0);
                }
                self.present = Some(StreamingDecoder::new(source).map_err(io::Error::other)?);
            }
        }
    }
}
