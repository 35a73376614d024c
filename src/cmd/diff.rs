use super::{
    Failure, Io, Verdict,
    address::{Address, Loaded, name_of},
    args::{From, Rules},
    traces::{Trace, turns},
};
use crate::{
    game::Game,
    notation::{Reference, move_string},
    position::Same,
    record::Tag,
    rules::OpeningRule,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Compare two games, or the games of two files
///
/// Of two games it tells the first ply that differs, the tags that differ, whether comments, clocks, offers or variations do,
/// and whether they are the same game on a turned or mirrored board. Of two files with several games it puts together those with the same positions ply by ply, turned or not,
/// and of the others those of the same players and date; the rest is in one file alone (`-` the first, `+` the second).
/// Mirrored means that the axes to the east and to the south-east are exchanged. Exits with 0 if nothing differs, with 1 if
/// something does.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit diff game.sgf game.pgn
  hivekit diff archive.uhp#3 'Base;InProgress;White[2];wS1;bG1 wS1-'
  hivekit diff old.pgn new.pgn")]
pub(super) struct Args {
    /// FILE[#GAME], a game string, or `-` for standard input
    #[arg(value_name = "A", allow_hyphen_values = true)]
    one: String,
    /// The same
    #[arg(value_name = "B", allow_hyphen_values = true)]
    other: String,
    /// Do not compare tags
    #[arg(long)]
    no_tags: bool,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    rules: Rules,
}

/// A game of one side.
struct Side {
    name: String,
    game: Game,
    /// Its number for all games with the same positions.
    way: u64,
}

pub(super) fn run(args: &Args, _quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let mut bad = Vec::new();
    let one = args.games(&args.one, &mut bad)?;
    let other = args.games(&args.other, &mut bad)?;
    bad.iter().try_for_each(|message| writeln!(io.err, "hivekit: {message}"))?;
    let mut report = Report { tags: !args.no_tags, lines: Vec::new() };
    let Pairs { pairs, alone } = Pairs::of(&one, &other);
    for (left, right) in pairs {
        report.compare(&one[left], &other[right]);
    }
    for (side, games) in alone.iter().enumerate() {
        let (sign, all) = [("-", &one), ("+", &other)][side];
        report.lines.extend(games.iter().map(|&at| format!("{sign} {}", all[at].told())));
    }
    report.lines.iter().try_for_each(|line| writeln!(io.out, "{line}"))?;
    let is_same = report.lines.is_empty() && bad.is_empty();
    Ok(if is_same { Verdict::Clean } else { Verdict::Findings })
}

impl Args {
    /// The games of an address, and what is wrong with those that cannot be read or are not legal.
    fn games(&self, name: &str, bad: &mut Vec<String>) -> Result<Vec<Side>, Failure> {
        let options = self.rules.options(OpeningRule::Any);
        let mut games = Vec::new();
        let mut number = 0;
        let mut failure = None;
        Address::of(name)?.each(&self.from, options, &mut |found| {
            number += 1;
            match found.and_then(|loaded| Side::of(name, number, loaded)) {
                Ok(side) => games.push(side),
                Err(Failure::Game(message)) => bad.push(message),
                Err(why) => failure = Some(why),
            }
            failure.is_none()
        });
        if let [only] = &mut games[..] {
            name.clone_into(&mut only.name);
        }
        failure.map_or(Ok(games), Err)
    }
}

impl Side {
    fn of(name: &str, number: usize, loaded: Loaded) -> Result<Side, Failure> {
        if let Some(fault) = loaded.fault {
            return Err(Failure::Game(fault));
        }
        let game = loaded
            .game
            .ok_or_else(|| Failure::Input(format!("`{name}` is a position: games are compared")))?;
        if loaded.ply < game.turns().len() {
            let message = format!("`{name}`: whole games are compared, so leave the ply out");
            return Err(Failure::Input(message));
        }
        let mut end = game.position(game.turns().len());
        let way = Trace::of(&game, &mut end, Same::Turned).whole();
        Ok(Side { name: name_of(name, number, None), game, way })
    }

    /// The players and the date.
    fn names(&self) -> [Option<&str>; 3] {
        ["White", "Black", "Date"].map(|name| self.game.tag(name).filter(|v| !v.is_empty()))
    }

    /// The game in a few words.
    fn told(&self) -> String {
        let [white, black, date] = self.names().map(|name| name.unwrap_or("?"));
        let plies = self.game.turns().len();
        format!("{}: {white} - {black}, {date}, {plies} plies", self.name)
    }
}

/// Which games belong together.
struct Pairs {
    pairs: Vec<(usize, usize)>,
    /// The games of either side without another one.
    alone: [Vec<usize>; 2],
}

impl Pairs {
    fn of(one: &[Side], other: &[Side]) -> Pairs {
        if let ([_], [_]) = (one, other) {
            return Pairs { pairs: vec![(0, 0)], alone: [Vec::new(), Vec::new()] };
        }
        let mut pairs = BTreeMap::new();
        let mut left: Vec<usize> = (0..other.len()).collect();
        pair(one, other, &mut pairs, &mut left, |side| Some(side.way));
        pair(one, other, &mut pairs, &mut left, |side| {
            let names = side.names();
            names.iter().all(Option::is_some).then_some(names)
        });
        let alone = (0..one.len()).filter(|at| !pairs.contains_key(at)).collect();
        Pairs { pairs: pairs.into_iter().collect(), alone: [alone, left] }
    }
}

/// Puts games together that have the same name, in their order.
fn pair<'s, N: std::hash::Hash + Eq>(
    one: &'s [Side],
    other: &'s [Side],
    pairs: &mut BTreeMap<usize, usize>,
    left: &mut Vec<usize>,
    name: impl Fn(&'s Side) -> Option<N>,
) {
    let mut named: HashMap<N, VecDeque<usize>> = HashMap::new();
    for &at in left.iter() {
        if let Some(name) = name(&other[at]) {
            named.entry(name).or_default().push_back(at);
        }
    }
    for (at, side) in one.iter().enumerate() {
        let same = name(side).filter(|_| !pairs.contains_key(&at));
        let same = same.and_then(|name| named.get_mut(&name)).and_then(VecDeque::pop_front);
        if let Some(same) = same {
            pairs.insert(at, same);
        }
    }
    let paired: BTreeSet<usize> = pairs.values().copied().collect();
    left.retain(|at| !paired.contains(at));
}

/// What differs.
struct Report {
    tags: bool,
    lines: Vec<String>,
}

impl Report {
    fn compare(&mut self, one: &Side, other: &Side) {
        let mut found = Vec::new();
        let (left, right) = (&one.game, &other.game);
        if left.game_type() != right.game_type() {
            found.push(format!("type: {} | {}", left.game_type(), right.game_type()));
        }
        found.extend(difference_of_turns(one, other));
        if left.outcome() != right.outcome() {
            found.push(format!("result: {} | {}", left.state(), right.state()));
        }
        let word = |game: &Game| game.cause().map_or("unknown", |cause| cause.word()).to_owned();
        if left.cause() != right.cause() {
            found.push(format!("cause: {} | {}", word(left), word(right)));
        }
        if left.remarks() != right.remarks() {
            let (ours, theirs) = (left.remarks().len(), right.remarks().len());
            found.push(format!("comments, clocks or offers: {ours} | {theirs}"));
        }
        if lines(left) != lines(right) {
            let (ours, theirs) = (left.variations().len(), right.variations().len());
            found.push(format!("variations: {ours} | {theirs}"));
        }
        if self.tags {
            found.extend(difference_of_tags(left.tags(), right.tags()));
        }
        if !found.is_empty() {
            self.lines.push(format!("! {} | {}", one.name, other.name));
            self.lines.extend(found.into_iter().map(|line| format!("  {line}")));
        }
    }
}

/// The other lines of play of a game, with what is said beside them.
fn lines(game: &Game) -> BTreeSet<String> {
    let lines = (0..game.variations().len()).map(|at| game.line(at));
    lines.map(|line| format!("{:?} {:?}", turns(&line, 0), line.remarks())).collect()
}

/// The first ply that differs, or how the board of one has to be turned to give the other.
fn difference_of_turns(one: &Side, other: &Side) -> Option<String> {
    let (left, right) = (&one.game, &other.game);
    let (ours, theirs) = (turns(left, 0), turns(right, 0));
    if ours == theirs {
        return None;
    }
    if let Some(image) = (1..12).find(|&image| turns(left, image) == theirs) {
        return Some(format!("the same game, {}", turned(image)));
    }
    if one.way == other.way {
        return Some("the same positions, turned or mirrored on the way".to_owned());
    }
    // The image in which they go together the longest.
    let shared = |image| {
        turns(left, image).iter().zip(&theirs).take_while(|(one, other)| one == other).count()
    };
    let (shared, image) = (0..12).map(|image| (shared(image), std::cmp::Reverse(image))).max()?;
    let word = |game: &Game| move_text(game, shared).unwrap_or_else(|| "nothing".to_owned());
    let image = match image.0 {
        0 => String::new(),
        image => format!(", {}", turned(image)),
    };
    Some(format!("ply {}: {} | {}{image}", shared + 1, word(left), word(right)))
}

/// An image in words.
fn turned(image: usize) -> String {
    let turn = match image % 6 {
        0 => String::new(),
        turns => format!("turned by {} degrees", 60 * turns),
    };
    match (image >= 6, turn.is_empty()) {
        (true, true) => "mirrored".to_owned(),
        (true, false) => format!("mirrored and {turn}"),
        (false, _) => turn,
    }
}

/// The text of a ply, which counts from 0.
fn move_text(game: &Game, ply: usize) -> Option<String> {
    let mut found = None;
    let all = move_string::each(game, Reference::default(), None, |number, text| {
        if number == ply + 1 {
            found = Some(text.to_string());
        }
        Ok(())
    });
    all.ok().and(found)
}

/// The tags that only one has, or that have other values.
fn difference_of_tags(one: &[Tag], other: &[Tag]) -> Vec<String> {
    let values = |tags: &[Tag]| -> BTreeMap<String, String> {
        tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect()
    };
    let (left, right) = (values(one), values(other));
    let quoted = |value: Option<&String>| value.map_or("-".to_owned(), |v| format!("\"{v}\""));
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    names
        .into_iter()
        .filter(|name| left.get(*name) != right.get(*name))
        .map(|name| format!("{name}: {} | {}", quoted(left.get(name)), quoted(right.get(name))))
        .collect()
}
