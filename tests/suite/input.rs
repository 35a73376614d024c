//! Input from anywhere: packed, in archives, in lists, in folders with ignore files, in other encodings.
#[cfg(feature = "packed")]
use std::io::Write as _;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const ONE: &str = "Base;InProgress;White[2];wS1;bS1 wS1-\n";
const TWO: &str = "Base;InProgress;White[2];wA1;bA1 wA1-\n";

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = env::temp_dir().join(format!("hivekit-input-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hivekit"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null()).output().unwrap()
    }

    /// What `convert` makes of it as game strings.
    fn games(&self, args: &[&str]) -> String {
        let run = self.run(&[&["convert", "--to", "uhp"], args].concat());
        assert!(run.status.success(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    }

    fn exists(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn error(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

#[test]
fn folders_are_read_without_what_is_hidden_or_ignored() {
    let folder = Folder::new("ignores");
    folder.write("a/b/two.uhp", TWO);
    folder.write("a/one.uhp", ONE);
    folder.write("a/.hidden.uhp", ONE);
    folder.write("a/.git/one.uhp", ONE);
    folder.write("a/drafts/one.uhp", ONE);
    folder.write("a/drafts/kept.uhp", ONE);
    folder.write("a/.gitignore", "drafts/*\n!kept.uhp\n");
    assert_eq!(folder.games(&["a"]), [TWO, ONE, ONE].concat());
    assert_eq!(folder.games(&["a", "--no-ignore"]).lines().count(), 6);
    assert_eq!(folder.games(&["a/.hidden.uhp"]), ONE, "what is named is read");
}

#[test]
fn lists_name_files() {
    let folder = Folder::new("lists");
    folder.write("one.uhp", ONE);
    folder.write("with blank.uhp", TWO);
    folder.write("list", "with blank.uhp\r\n\none.uhp\n");
    folder.write("zeros", "one.uhp\0with blank.uhp\0");
    assert_eq!(folder.games(&["--files-from", "list"]), [TWO, ONE].concat());
    assert_eq!(folder.games(&["--files-from", "zeros", "-0"]), [ONE, TWO].concat());
    assert_eq!(folder.games(&["one.uhp", "--files-from", "list"]), [ONE, TWO, ONE].concat());
    let run = folder.run(&["check", "--files-from", "no-list"]);
    assert_eq!(run.status.code(), Some(2), "{}", error(&run));
}

#[cfg(feature = "packed")]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[cfg(feature = "packed")]
fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[cfg(feature = "packed")]
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[cfg(feature = "packed")]
#[test]
fn what_is_packed_is_unpacked() {
    let folder = Folder::new("packed");
    folder.write("a.uhp.gz", [gzip(ONE.as_bytes()), gzip(TWO.as_bytes())].concat());
    let empty_frame = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let frames = [zstandard(ONE.as_bytes()), empty_frame.to_vec(), zstandard(TWO.as_bytes())];
    folder.write("b.uhp.zst", frames.concat());
    let inner = zip(&[("deep/one.uhp", ONE.as_bytes()), ("notes.txt", b"no game")]);
    let members: [(&str, &[u8]); 4] = [
        ("2024/two.uhp", TWO.as_bytes()),
        ("2024/one.uhp.gz", &gzip(ONE.as_bytes())),
        ("__MACOSX/2024/._two.uhp", b"junk"),
        ("inner.zip", &inner),
    ];
    folder.write("c.zip", zip(&members));
    for (path, expected) in [
        ("a.uhp.gz", vec![ONE, TWO]),
        ("b.uhp.zst", vec![ONE, TWO]),
        ("c.zip", vec![TWO, ONE, ONE]),
        ("c.zip!2024", vec![TWO, ONE]),
        ("c.zip!2024/two.uhp", vec![TWO]),
        ("c.zip!inner.zip!deep/one.uhp", vec![ONE]),
        (".", vec![ONE, TWO, ONE, TWO, TWO, ONE, ONE]),
    ] {
        assert_eq!(folder.games(&[path]), expected.concat(), "{path}");
    }
    let show = folder.run(&["show", "c.zip!2024/two.uhp@1"]);
    assert!(String::from_utf8_lossy(&show.stdout).contains("*wA1"), "{}", error(&show));
    assert!(folder.run(&["show", "a.uhp.gz#2"]).status.success());
}

#[cfg(feature = "packed")]
#[test]
fn what_cannot_be_unpacked_is_told() {
    let folder = Folder::new("broken");
    let whole = gzip(ONE.repeat(5000).as_bytes());
    folder.write("cut.gz", &whole[..whole.len() / 2]);
    folder.write("cut.zip", &zip(&[("a.uhp", ONE.as_bytes())])[..40]);
    folder.write("good.zip", zip(&[("a.uhp", ONE.as_bytes())]));
    folder.write("good.uhp", ONE);
    for path in ["cut.gz", "cut.zip", "good.zip!b.uhp", "good.uhp!a"] {
        let run = folder.run(&["check", "-q", path, "good.uhp"]);
        assert_eq!(run.status.code(), Some(2), "{path}");
        assert!(error(&run).contains("cannot read"), "{path}: {}", error(&run));
    }
}

#[cfg(feature = "encodings")]
#[test]
fn other_encodings_are_read() {
    let folder = Folder::new("encodings");
    let pgn = "[GameType \"Base\"]\n[White \"Zoë\"]\n\n1. wS1\n";
    let units: Vec<u8> = pgn.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("utf16.pgn", [&[0xFF, 0xFE][..], &units].concat());
    folder.write(
        "latin.pgn",
        pgn.replace('ë', "\u{1}")
            .bytes()
            .map(|b| if b == 1 { 0xEB } else { b })
            .collect::<Vec<_>>(),
    );
    folder.write(
        "russian.pgn",
        pgn.as_bytes()
            .iter()
            .flat_map(|&b| match b {
                0xC3 => vec![],
                0xAB => vec![0xC6],
                b => vec![b],
            })
            .collect::<Vec<_>>(),
    );
    let name = |args: &[&str]| {
        let run = folder.run(&[&["convert", "--to", "pgn"], args].concat());
        let text = String::from_utf8(run.stdout).unwrap();
        text.lines().find(|line| line.starts_with("[White ")).unwrap().to_owned()
    };
    assert_eq!(name(&["utf16.pgn"]), "[White \"Zoë\"]");
    assert_eq!(name(&["latin.pgn"]), "[White \"Zoë\"]");
    assert_eq!(name(&["russian.pgn", "--encoding", "windows-1251"]), "[White \"ZoЖ\"]");
    let run = folder.run(&["check", "--encoding", "klingon", "latin.pgn"]);
    assert_eq!(run.status.code(), Some(2));
}

#[test]
fn games_go_to_files_and_folders() {
    let folder = Folder::new("output");
    folder.write("in/2024/one.uhp", [ONE, TWO].concat());
    folder.write("in/two.uhp", TWO);
    folder.write("in/bad.uhp", "Base;InProgress;White[2];wS1;bS1 wS2-\n");
    // To a folder: the same tree, and nothing for a source without a legal game.
    let run = folder.run(&["convert", "in", "--to", "pgn", "-o", "out/"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(error(&run).contains("3 games written, 1 left out"), "{}", error(&run));
    assert!(folder.exists("out/2024/one.pgn") && folder.exists("out/two.pgn"));
    assert!(!folder.exists("out/bad.pgn"));
    assert_eq!(folder.games(&["out"]), [ONE, TWO, TWO].concat());
    // A second time nothing is overwritten, unless that is asked for.
    let again = ["convert", "in/two.uhp", "--to", "pgn", "-o", "out/"];
    assert!(error(&folder.run(&again)).contains("--force"));
    assert!(folder.run(&[&again[..], &["--force"]].concat()).status.success());
    // One file, whose name says the notation; one file a game.
    assert!(folder.run(&["convert", "in/2024", "-o", "all.ndjson"]).status.success());
    assert_eq!(folder.games(&["all.ndjson"]), [ONE, TWO].concat());
    assert_eq!(folder.run(&["convert", "in/2024", "-o", "all.ndjson"]).status.code(), Some(2));
    assert!(
        folder
            .run(&["convert", "in/2024", "--to", "sgf", "--split", "-o", "split"])
            .status
            .success()
    );
    assert_eq!(folder.games(&["split/one-000002.sgf"]), TWO);
    // No half-written files are left anywhere.
    let left = Path::new(&folder.0).read_dir().unwrap().filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".hivekit")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn two_sources_never_go_to_one_file() {
    let folder = Folder::new("clash");
    folder.write("in/game.uhp", ONE);
    folder.write("in/game.pgn", "1. wA1\n2. bA1 wA1-\n");
    let run = folder.run(&["convert", "in", "--to", "sgf", "-o", "out/", "--force"]);
    assert!(run.status.success(), "{}", error(&run));
    assert_eq!(folder.games(&["out/game.sgf"]), TWO);
    assert_eq!(folder.games(&["out/game.uhp.sgf"]), ONE);
    // The same file three times: the others go on, and it is told.
    let same = ["in/game.uhp"; 3];
    let run = folder
        .run(&[&["convert", "--to", "sgf", "-o", "same/"], &same[..], &["in/game.pgn"]].concat());
    assert_eq!(run.status.code(), Some(2));
    assert!(error(&run).contains("in/game.uhp would go there, too"), "{}", error(&run));
    assert!(folder.exists("same/game.pgn.sgf"));
}

/// What is there stays as it was, or becomes what was asked for, and nothing between.
#[cfg(unix)]
#[test]
fn what_is_there_is_kept_or_replaced_as_a_whole() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("replace");
    folder.write("good.uhp", ONE);
    folder.write("bad.uhp", "Base;InProgress;White[2];wS1;bS1 wS2-\n");
    folder.write("out.uhp", TWO);
    let into =
        |source, target| folder.run(&["convert", source, "--to", "uhp", "-o", target, "--force"]);
    let text = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    for source in ["bad.uhp", "missing.uhp"] {
        assert_ne!(into(source, "out.uhp").status.code(), Some(0));
        assert_eq!(text("out.uhp"), TWO, "nothing was written from {source}");
    }
    fs::set_permissions(folder.0.join("out.uhp"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("out.uhp", folder.0.join("link.uhp")).unwrap();
    assert!(into("good.uhp", "link.uhp").status.success());
    assert_eq!(text("out.uhp"), ONE, "the file behind the link is written");
    let rights = fs::metadata(folder.0.join("out.uhp")).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    assert!(fs::symlink_metadata(folder.0.join("link.uhp")).unwrap().is_symlink());
    assert!(into("good.uhp", "/dev/null").status.success());
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn what_is_lost_can_be_an_error_or_nothing() {
    let folder = Folder::new("loss");
    folder.write("tags.pgn", "[White \"Ada\"]\n\n1. wS1\n2. bS1 wS1-\n");
    let run = |loss| folder.run(&["convert", "tags.pgn", "--to", "uhp", "--loss", loss]);
    let (error_run, warn, allow) = (run("error"), run("warn"), run("allow"));
    assert_eq!((error_run.status.code(), error_run.stdout.len()), (Some(1), 0));
    assert!(error(&error_run).contains("error[loss] game 1"), "{}", error(&error_run));
    assert_eq!(warn.status.code(), Some(0));
    assert_eq!(error(&warn), "lost in uhp: tags (White) of 1 game\n");
    assert_eq!((allow.status.code(), error(&allow).as_str()), (Some(0), ""));
}

#[test]
fn what_is_written_is_verified() {
    let folder = Folder::new("verify");
    folder.write("in/games.uhp", [ONE, TWO].concat());
    for to in ["uhp", "pgn", "sgf", "ndjson"] {
        let run = folder.run(&["convert", "in", "--to", to, "--verify"]);
        assert!(run.status.success(), "{to}: {}", error(&run));
    }
}

/// Our own notation keeps what no other can: games that are not proven, as they stood.
#[test]
fn games_that_are_not_proven_are_kept_in_our_own_notation() {
    let folder = Folder::new("kept");
    let illegal = "Base;InProgress;White[2];wS1;bS1 wS2-";
    let (broken, worse) =
        ("Base;InProgress;White[2];wS1;bX wS1-", "Base;InProgress;White[2];hello");
    folder.write("in.uhp", format!("{ONE}{illegal}\n{broken}\n{worse}\n{TWO}"));
    let run = folder.run(&["convert", "in.uhp", "-o", "all.ndjson"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(error(&run).contains("5 games written (3 of them as they stand"), "{}", error(&run));
    let text = fs::read_to_string(folder.0.join("all.ndjson")).unwrap();
    for (line, kept) in text.lines().skip(1).zip([illegal, broken, worse]) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((line["text"].as_str(), line["notation"].as_str()), (Some(kept), Some("uhp")));
    }
    // Read again they are as wrong as before, written again they are the same.
    let check = folder.run(&["check", "-q", "--format", "short", "all.ndjson"]);
    let check = String::from_utf8_lossy(&check.stdout).into_owned();
    for code in
        ["all.ndjson:2:1: unknown-reference: game 2, ply 2", "syntax: game 3, ply 2", "game 4"]
    {
        assert!(check.contains(code), "{check}");
    }
    folder.run(&["convert", "all.ndjson", "-o", "again.ndjson"]);
    assert_eq!(fs::read_to_string(folder.0.join("again.ndjson")).unwrap(), text);
    let run = folder.run(&["convert", "all.ndjson", "--to", "uhp"]);
    assert_eq!(String::from_utf8_lossy(&run.stdout), [ONE, TWO].concat());
}

/// What a stream begins with is looked for behind blanks and remarks, wherever its pieces end.
#[test]
fn blanks_before_the_first_game_or_position_do_not_hide_it() {
    let folder = Folder::new("late");
    let cases = [
        ("Base;InProgress;White[2];wS1;bG1 wS1-\n", "check", 0),
        ("Base.w.wQbQ\n", "position", 0),
        ("{\"to_move\":\"white\",\"cells\":[]}\n", "position", 0),
    ];
    for (text, command, code) in cases {
        for blanks in [131_000, 131_071, 131_072, 300_000] {
            let remark = if text.starts_with('{') { "" } else { "# a remark\n" };
            let text = ["\n".repeat(blanks).as_str(), remark, text].concat();
            folder.write("late", &text);
            let run = folder.run(&[command, "late"]);
            assert_eq!(run.status.code(), Some(code), "{command}, {blanks}: {}", error(&run));
        }
    }
}
