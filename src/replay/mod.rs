//! From what was written to what is proven: the only place where the two meet.
mod attempt;
mod claims;
mod doubts;
mod like;
mod special;
mod third;
mod variations;

use crate::{
    finding::{self, Code, Finding},
    game::Game,
    record::{Action, Cause, Claimed, Done, Ply, PlySource, Record, Remark, Spot, Tag},
    rules::{
        Agent, Bug, Cell, GameType, IllegalTurn, Options, Outcome, Piece, Position,
        RepetitionWatch, Rule, SamePosition, Turn, bugs::Set,
    },
};

pub use attempt::Attempt;
pub(crate) use like::lead_to_turned;

use claims::stated_outcome;

/// What a third occurrence of a position means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepetitionRule {
    /// It is worth a note, and the game goes on.
    #[default]
    Report,
    /// The game is drawn, and over.
    Draw,
    /// Nothing.
    Ignore,
}

/// The rules that a game may be played by, where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleOptions {
    /// The rules between which a game can choose.
    pub rules: Options,
    /// Those of [`Options::CHOICES`] that were asked for, a bit each: a record cannot choose otherwise.
    pub asked: u16,
    /// What does a third occurrence of a position mean?
    pub repetition: RepetitionRule,
    /// Which positions are the same?
    pub same: SamePosition,
}

/// What came of replaying a record.
#[derive(Debug)]
pub struct Replayed {
    /// The legal part: all of the game, if there is no fault.
    pub game: Game,
    /// What is worth saying about it, in the order of the record.
    pub findings: Vec<Finding>,
    /// The first turn that is not legal.
    pub fault: Option<Finding>,
    /// What that turn tried.
    pub attempt: Option<Attempt>,
}

/// A game of turns that were not written anywhere.
///
/// # Errors
///
/// Fails at the first turn that is not legal.
pub fn prove(
    game_type: GameType,
    options: impl Into<Options>,
    turns: impl IntoIterator<Item = Turn>,
) -> Result<Game, IllegalTurn> {
    let options = options.into();
    let mut position = Position::new(game_type, options);
    let mut proven = Vec::new();
    for turn in turns {
        position.play(turn)?;
        proven.push(turn);
    }
    Ok(Game {
        pieces: game_type,
        options,
        tags: Vec::new(),
        spots: vec![None; proven.len()],
        turns: proven,
        board_outcome: position.outcome(),
        stated_outcome: None,
        cause: position.outcome().map(|_| Cause::Board),
        remarks: Vec::new(),
        variations: Vec::new(),
        is_cut: false,
        has_others: false,
        origin: None,
        is_oriented: true,
    })
}

/// Why a ply means no turn.
#[derive(Debug)]
enum Trouble {
    Illegal(IllegalTurn),
    /// None is like the sketch, or more than one.
    Sketch(&'static Code, String),
}

impl From<IllegalTurn> for Trouble {
    fn from(illegal: IllegalTurn) -> Trouble {
        Trouble::Illegal(illegal)
    }
}

impl From<Rule> for Trouble {
    fn from(rule: Rule) -> Trouble {
        Trouble::Illegal(rule.into())
    }
}

/// The tag that names the rules of a game that are not as usual: `name=value`, with commas between.
pub(crate) const RULES_TAG: &str = "Rules";

/// The tags of a game, with the rules that are not as usual.
fn with_rules(mut tags: Vec<Tag>, game_type: GameType, options: Options) -> Vec<Tag> {
    if game_type.is_official() {
        return tags;
    }
    let chosen: Vec<String> =
        options.chosen().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let known = tags.iter_mut().rev().find(|tag| tag.name == RULES_TAG);
    match known {
        Some(tag) => tag.value = chosen.join(", "),
        None if chosen.is_empty() => {}
        None => tags.push(Tag { name: RULES_TAG.to_owned(), value: chosen.join(", ") }),
    }
    tags
}

/// Replays records one after the other, in the memory of one position.
#[derive(Debug)]
pub struct Replayer {
    options: RuleOptions,
    position: Position,
    watch: RepetitionWatch,
    /// The first position that came for the third time: how many turns led to it.
    third: Option<usize>,
    findings: Vec<Finding>,
    turns: Vec<Turn>,
    spots: Vec<Option<Spot>>,
    /// How many plies were read.
    plies_before: usize,
    /// How many turns had been played before each ply.
    turns_before: Vec<usize>,
    /// The game was drawn by repetition.
    is_drawn: bool,
    /// The last ply that was not legal.
    attempt: Option<Attempt>,
}

impl Replayer {
    /// A replayer for games under these rules.
    pub fn new(options: RuleOptions) -> Replayer {
        Replayer {
            options,
            position: Position::new(GameType::BASE, options.rules),
            watch: RepetitionWatch::new(options.watched()),
            third: None,
            findings: Vec::new(),
            turns: Vec::new(),
            spots: Vec::new(),
            plies_before: 0,
            turns_before: Vec::new(),
            is_drawn: false,
            attempt: None,
        }
    }

    /// The position that the last record led to: before its fault, if it had one.
    pub fn position(&mut self) -> &mut Position {
        &mut self.position
    }

    /// Plays a record by the rules.
    pub fn replay(&mut self, record: &Record) -> Replayed {
        let game_type = self.start(record);
        let fault = self.play_all(record, &record.plies);
        let attempt = self.attempt.take().filter(|_| fault.is_some());
        self.tell_repetition(record);
        self.doubt(record);
        if fault.is_none() {
            self.compare_claims(record);
        }
        let mut is_cut = record.is_cut;
        let variations = if fault.is_none() {
            self.variations(record, game_type, &mut is_cut)
        } else {
            Vec::new()
        };
        let options = self.position.options();
        Replayed {
            game: Game {
                pieces: game_type,
                options,
                tags: with_rules(record.tags.clone(), game_type, options),
                remarks: self.remarks(&record.remarks),
                turns: std::mem::take(&mut self.turns),
                spots: std::mem::take(&mut self.spots),
                board_outcome: self.board_outcome(),
                stated_outcome: stated_outcome(record),
                cause: self.cause(record),
                variations,
                is_cut,
                has_others: record.has_others,
                origin: record.origin.clone(),
                is_oriented: record.sketches.is_empty(),
            },
            findings: std::mem::take(&mut self.findings),
            fault,
            attempt,
        }
    }

    /// Prepares for a record: with the pieces that it names and those that it uses.
    fn start(&mut self, record: &Record) -> GameType {
        self.findings.clear();
        self.turns = Vec::with_capacity(record.plies.len());
        self.spots = Vec::with_capacity(record.plies.len());
        self.plies_before = 0;
        self.turns_before.clear();
        let declared = record.game_type.unwrap_or(GameType::BASE);
        let mut game_type = declared;
        let others = record.variations.iter();
        let others = others.flat_map(|other| (other.after..).zip(&other.plies));
        for (at, ply) in record.plies.iter().enumerate().chain(others) {
            let (bug, number) = match ply.action {
                Action::Put(piece, _)
                | Action::Special(Done { actor: Agent { piece, .. }, .. }) => {
                    (piece.bug(), piece.whole().number())
                }
                Action::Like(sketch) => (record.sketches[sketch].kind.bug, 1),
                Action::Pass => continue,
            };
            // Where no type is named, a game has as many fan pieces as it uses.
            let is_more = record.game_type.is_none() && number > game_type.count(bug);
            if bug.set() == Set::Fan && is_more {
                game_type = game_type.with_count(bug, number);
            }
            if game_type.count(bug) == 0 && bug.set() != Set::Base {
                game_type = game_type.with(bug);
                if record.game_type.is_some() {
                    let message = format!("`{declared}` does not have the {}", bug.name());
                    self.note(&finding::UNDECLARED_EXPANSION, at, ply, message);
                }
            }
        }
        let rules = self.rules_of(record, game_type);
        self.position.restart(game_type, rules);
        self.watch.restart(self.options.watched());
        self.third = None;
        self.is_drawn = false;
        game_type
    }

    /// The rules of a record: as it says, unless something else was asked for. Official games have nothing to choose,
    /// and may have such a tag for a purpose of their own.
    fn rules_of(&mut self, record: &Record, game_type: GameType) -> Options {
        if game_type.is_official() {
            return self.options.rules.opening.into();
        }
        let mut rules = self.options.rules;
        let told = record.tag(RULES_TAG).unwrap_or_default();
        for told in told.split([',', ' ']).filter(|told| !told.is_empty()) {
            let Some((name, value)) = told.split_once('=') else {
                let message = format!("the tag `{RULES_TAG}` says `{told}`: expected name=value");
                self.findings.push(Finding::new(
                    &finding::UNKNOWN_RULE,
                    record.span.clone(),
                    message,
                ));
                continue;
            };
            let at = Options::CHOICES.iter().position(|choice| choice.name == name);
            if at.is_some_and(|at| self.options.asked >> at & 1 == 1) {
                continue;
            }
            if let Err(error) = rules.choose(name, value) {
                let message = format!("the tag `{RULES_TAG}` says `{told}`: {error}");
                self.findings.push(Finding::new(
                    &finding::UNKNOWN_RULE,
                    record.span.clone(),
                    message,
                ));
            }
        }
        rules
    }

    /// Plays the plies of a line of the record, up to the first that is not legal.
    fn play_all(&mut self, record: &Record, plies: &[Ply]) -> Option<Finding> {
        for ply in plies {
            let at = self.plies_before;
            self.plies_before += 1;
            self.turns_before.push(self.turns.len());
            let found = match self.find(record, ply) {
                Err(_) if ply.source == PlySource::Implied => continue,
                Err(_) if ply.source == PlySource::Confirmed => {
                    let message = "it confirms no turn, and the side has other turns than a pass";
                    self.note(&finding::STRAY_DONE, at, ply, message);
                    continue;
                }
                Err(trouble) => self.find_after_pass(record, at, ply, trouble),
                found => found,
            };
            match found {
                Ok(turn) => self.take(at, ply, turn),
                Err(trouble) => {
                    self.plies_before = at;
                    self.turns_before.truncate(at);
                    self.attempt = Some(self.attempt(at, ply, &trouble));
                    let fault = match trouble {
                        Trouble::Illegal(illegal) => self
                            .old_throw(record, ply, illegal)
                            .unwrap_or_else(|| self.fault(ply, illegal.rule)),
                        Trouble::Sketch(code, message) => {
                            Finding::new(code, ply.span.clone(), message)
                        }
                    };
                    return Some(fault.at_ply(self.turns.len() + 1));
                }
            }
        }
        None
    }

    /// The turn that a ply means here.
    fn find(&mut self, record: &Record, ply: &Ply) -> Result<Turn, Trouble> {
        if self.is_drawn {
            return Err(Rule::GameOver.into());
        }
        let (piece, spot) = match ply.action {
            Action::Pass => return Ok(self.position.check(Turn::Pass).map(|()| Turn::Pass)?),
            Action::Like(sketch) => return self.find_like(&record.sketches[sketch], ply),
            Action::Special(done) => return self.find_special(done),
            Action::Put(piece, spot) => (piece, spot),
        };
        match self.resolve(spot) {
            Some(cell) => Ok(self.position.find(piece, cell)?),
            None => {
                Err(self.position.why_not_piece(piece).unwrap_or(Rule::UnknownReference).into())
            }
        }
    }

    /// The cell that a spot means on the table as it stands, the moving piece still in its place.
    fn resolve(&self, spot: Spot) -> Option<Cell> {
        match spot {
            Spot::Alone => self.position.hive().is_empty().then_some(Cell::ORIGIN),
            Spot::Beside(piece, direction) => {
                // Also by a nymph that comes up beneath the moving piece.
                self.position.hive().place_of(piece).map(|place| place.cell.step(direction))
            }
            Spot::OnTopOf(piece) => self.position.hive().cell_of(piece),
            Spot::At(hex) => Some(Cell::at(hex)),
        }
    }

    /// The turn that a ply means for the other side, if the side to move has to pass and the record
    /// does not say so.
    fn find_after_pass(
        &mut self,
        record: &Record,
        at: usize,
        ply: &Ply,
        trouble: Trouble,
    ) -> Result<Turn, Trouble> {
        let is_over = matches!(trouble, Trouble::Illegal(IllegalTurn { rule: Rule::GameOver }));
        let passes =
            ply.action != Action::Pass && !is_over && self.position.check(Turn::Pass).is_ok();
        if !passes {
            return Err(trouble);
        }
        let side = self.position.to_move();
        self.position.make(Turn::Pass);
        let Ok(turn) = self.find(record, ply) else {
            self.position.undo();
            return Err(trouble);
        };
        self.turns.push(Turn::Pass);
        self.spots.push(None);
        self.watch_repetition();
        // A sketch has no word for a pass.
        if !matches!(ply.action, Action::Like(_)) {
            let message = format!("{side} had to pass before this turn");
            self.note(&finding::OMITTED_PASS, at, ply, message);
        }
        Ok(turn)
    }

    /// Plays a legal turn, with what is worth saying about the way it is written.
    fn take(&mut self, at: usize, ply: &Ply, turn: Turn) {
        if let Action::Put(piece, spot) = ply.action {
            self.remark_spot(at, ply, piece, spot);
            self.doubt_reference(at, ply);
        }
        if let Some(piece) = turn.placed() {
            self.remark_placement(at, ply, piece);
        }
        self.position.make(turn);
        self.turns.push(turn);
        self.spots.push(ply.spot());
        self.watch_repetition();
    }

    fn remark_spot(&mut self, at: usize, ply: &Ply, piece: Piece, spot: Spot) {
        let hive = self.position.hive();
        match spot {
            Spot::Beside(reference, _) if reference == piece => {
                self.note(
                    &finding::SELF_REFERENCE,
                    at,
                    ply,
                    "the place is told by the moving piece itself",
                );
            }
            Spot::Beside(reference, direction) => {
                let to = hive.cell_of(reference).map(|cell| cell.step(direction));
                if let Some(covered) = to.and_then(|cell| hive.top(cell)) {
                    let message =
                        format!("it climbs onto `{covered}`, which is written without a direction");
                    self.note(&finding::CLIMB_BY_DIRECTION, at, ply, message);
                }
            }
            Spot::OnTopOf(reference) if !hive.is_top(reference) => {
                let message =
                    format!("`{reference}` is covered; the top of its stack is another piece");
                self.note(&finding::BURIED_REFERENCE, at, ply, message);
            }
            Spot::OnTopOf(_) | Spot::Alone | Spot::At(_) => {}
        }
    }

    fn remark_placement(&mut self, at: usize, ply: &Ply, piece: Piece) {
        if piece.bug() == Bug::Queen && self.position.ply() < 2 {
            let message = format!("{} opens with the queen", piece.color());
            self.note(&finding::QUEEN_FIRST, at, ply, message);
        }
        if piece.number() > 1
            && let Some(next) = self.position.next_in_hand(piece.color(), piece.bug())
            && next != piece
        {
            let name = |piece| self.position.game_type().name(piece);
            let message = format!("`{}` is placed before `{}`", name(piece), name(next));
            self.note(&finding::NUMBER_ORDER, at, ply, message);
        }
    }

    /// Notes something about a ply, which counts from 0.
    fn note(&mut self, code: &Code, at: usize, ply: &Ply, message: impl Into<String>) {
        self.findings.push(Finding::new(code, ply.span.clone(), message).at_ply(at + 1));
    }

    /// What the record says beside the turns, as far as the game goes.
    fn remarks(&self, remarks: &[Remark]) -> Vec<Remark> {
        let moved =
            |remark: &Remark| Remark { after: self.turns_before(remark.after), ..remark.clone() };
        remarks.iter().map(moved).collect()
    }

    /// How many turns came before a ply, from 0: of the present line.
    fn turns_before(&self, plies: usize) -> usize {
        self.turns_before.get(plies).copied().unwrap_or(self.turns.len())
    }

    /// Why the game ended: as the board shows, or, if the board is undecided, as the record says.
    fn cause(&self, record: &Record) -> Option<Cause> {
        if self.position.outcome().is_some() {
            return Some(Cause::Board);
        }
        let stated = record.claims.iter().rev().find_map(|claim| match claim.what {
            Claimed::Cause(cause) if cause != Cause::Board => Some(cause),
            _ => None,
        });
        if self.is_drawn { Some(Cause::Repetition) } else { stated }
    }

    fn board_outcome(&self) -> Option<Outcome> {
        self.position.outcome().or(self.is_drawn.then_some(Outcome::Draw))
    }
}
