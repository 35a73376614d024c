//! What is wrong with a record, or worth saying about it, and where.
use std::{fmt, ops::Range};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing, and nothing is wrong.
    Note,
    /// The record is read as it was most probably meant.
    Warning,
    /// The record cannot be read, or its game is not legal.
    Error,
}

impl Severity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of finding that is no rule of the game.
#[derive(Debug)]
pub struct Code {
    /// A stable kebab-case name.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Whether a reader without mercy would have refused the text.
    pub is_leniency: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
}

macro_rules! codes {
    ($($(#[doc = $about:literal])+ $name:ident = $code:literal $severity:ident $($lenient:ident)?;)+) => {
        $($(#[doc = $about])+
        pub static $name: Code = Code {
            name: $code,
            severity: Severity::$severity,
            is_leniency: codes!(@ $($lenient)?),
            about: concat!($($about),+),
        };)+

        /// Every kind of finding that is no rule of the game, the worst first.
        pub static CODES: &[&Code] = &[$(&$name),+];
    };
    (@) => { false };
    (@ lenient) => { true };
}

codes! {
    /// The text is not in the notation.
    SYNTAX = "syntax" Error;
    /// The text is in no notation that is known.
    UNKNOWN_NOTATION = "unknown-notation" Error;
    /// BoardSpace's hive-ultimate is another game, with rules that are not implemented.
    HIVE_ULTIMATE = "hive-ultimate" Error;
    /// What is told of a position contradicts itself, or the rules of the game.
    IMPOSSIBLE_POSITION = "impossible-position" Error;
    /// No legal turn is like what the record tells.
    NO_SUCH_TURN = "no-such-turn" Error;
    /// Several legal turns are like what the record tells.
    AMBIGUOUS_TURN = "ambiguous-turn" Error;
    /// The notation to write cannot say a part of the game.
    LOSS = "loss" Error;
    /// What was written is read back as another game.
    NOT_THE_SAME = "not-the-same" Error;

    /// The file holds no games.
    NO_GAMES = "no-games" Warning lenient;
    /// The state that a game string gives is not the one that its moves lead to.
    STATE_MISMATCH = "state-mismatch" Warning lenient;
    /// The turn that a game string gives is not the one that its moves lead to.
    TURN_MISMATCH = "turn-mismatch" Warning lenient;
    /// The result that the record gives contradicts the board, or another place of the record.
    RESULT_MISMATCH = "result-mismatch" Warning lenient;
    /// The game uses an expansion that its game type does not name.
    UNDECLARED_EXPANSION = "undeclared-expansion" Warning lenient;
    /// A turn is legal only if letters in the wrong case are forgiven.
    OTHER_COLORS = "other-colors" Warning lenient;
    /// Equal pieces are placed in another order than that of their numbers.
    NUMBER_ORDER = "number-order" Warning lenient;
    /// A climb is written as a place beside a piece.
    CLIMB_BY_DIRECTION = "climb-by-direction" Warning lenient;
    /// A place has a direction on both sides of the piece; the first one counts.
    TWO_SIDED_SPOT = "two-sided-spot" Warning lenient;
    /// A side had to pass, and the pass is not written.
    OMITTED_PASS = "omitted-pass" Warning lenient;
    /// The plies are not numbered 1, 2, 3 and so on.
    PLY_NUMBER = "ply-number" Warning lenient;
    /// A tag comes twice; the last one counts.
    DUPLICATE_TAG = "duplicate-tag" Warning lenient;
    /// The game type is written in another way than the protocol does.
    GAME_TYPE_SPELLING = "game-type-spelling" Warning lenient;
    /// The game string does not begin with a game type, a state and a turn.
    MISSING_HEADER = "missing-header" Warning lenient;
    /// Something stands before a game that belongs to no game.
    STRAY_TEXT = "stray-text" Warning lenient;
    /// An event of the record is not known, and is skipped.
    UNKNOWN_EVENT = "unknown-event" Warning lenient;
    /// The last turn of the record was never confirmed, and does not count.
    UNCONFIRMED = "unconfirmed" Warning;
    /// A turn of another line of play is not legal, and the line ends before it.
    ILLEGAL_VARIATION = "illegal-variation" Warning lenient;
    /// Equal pieces get other numbers, since the notation to write numbers them as they are placed.
    RENUMBERED = "renumbered" Warning;
    /// The neighbour that tells a place tells another one than the coordinates, which count.
    REFERENCE_MISMATCH = "reference-mismatch" Warning;
    /// A player's clock shows less time used than before.
    CLOCK_BACKWARDS = "clock-backwards" Warning;
    /// The date of the game is no day of the calendar.
    IMPOSSIBLE_DATE = "impossible-date" Warning;
    /// Two dates of the record are more than a day apart.
    DATE_MISMATCH = "date-mismatch" Warning;
    /// A throw of the time before the pillbug had its present rules is not legal by these; the game is followed up to it.
    OLD_PILLBUG = "old-pillbug" Warning;
    /// The text is no UTF-8, and its encoding was guessed.
    ENCODING = "encoding" Warning lenient;
    /// The record names a rule or a value of one that there is not.
    UNKNOWN_RULE = "unknown-rule" Error;

    /// A queen was placed on a side's first turn.
    QUEEN_FIRST = "queen-first" Note;
    /// A position comes for the third time.
    REPETITION = "repetition" Note;
    /// The record gives a result that the board does not show: resigned, agreed, or out of time.
    RESULT_OFF_BOARD = "result-off-board" Note;
    /// The record ends before the game does.
    UNFINISHED = "unfinished" Note;
    /// A raw log of the same game follows it in the file, and is skipped.
    EVENT_LOG = "event-log" Note lenient;
    /// A confirmation that is no turn was skipped.
    STRAY_DONE = "stray-done" Note lenient;
    /// There are more or fewer blanks than the notation asks for.
    BLANKS = "blanks" Note lenient;
    /// A name is written with capitals where small letters belong, or the other way round.
    LETTER_CASE = "letter-case" Note lenient;
    /// A piece that comes once bears a number.
    NUMBERED_UNIQUE = "numbered-unique" Note lenient;
    /// The first piece has a full stop for a place.
    DOT_SPOT = "dot-spot" Note lenient;
    /// A place is told by the piece that moves.
    SELF_REFERENCE = "self-reference" Note lenient;
    /// A climb is told by a piece that is covered.
    BURIED_REFERENCE = "buried-reference" Note lenient;
    /// A separator stands at the end of the game string.
    TRAILING_SEPARATOR = "trailing-separator" Note lenient;
}

/// One thing that is wrong with a record, or worth saying about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A stable kebab-case name: of a [`Code`], or of a rule of the game.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Whether a reader without mercy would have refused the text.
    pub is_leniency: bool,
    /// The ply that it is about, from 1.
    pub ply: Option<usize>,
    /// The bytes of the source that it is about.
    pub span: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
}

impl Finding {
    /// A finding about a whole game.
    pub fn new(code: &Code, span: Range<usize>, message: impl Into<String>) -> Finding {
        Finding {
            code: code.name,
            severity: code.severity,
            is_leniency: code.is_leniency,
            ply: None,
            span,
            message: message.into(),
        }
    }

    /// A broken rule of the game.
    pub fn broken(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: Severity::Error,
            is_leniency: false,
            ply: None,
            span,
            message: message.into(),
        }
    }

    /// The same finding about a ply of another line of play.
    #[must_use]
    pub fn in_variation(self) -> Finding {
        Finding { message: format!("in a variation: {}", self.message), ..self }
    }

    /// What is wrong with a ply at which another line of play ends for that.
    #[must_use]
    pub fn ends_variation(self) -> Finding {
        let message = format!("{}: the line ends before it", self.message);
        Finding { ply: self.ply, ..Finding::new(&ILLEGAL_VARIATION, self.span, message) }
    }

    /// The same finding about one ply, counted from 1.
    #[must_use]
    pub fn at_ply(self, ply: usize) -> Finding {
        Finding { ply: Some(ply), ..self }
    }
}
