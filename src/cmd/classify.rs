use super::{
    Failure, Io, Verdict,
    address::name_of,
    criteria::Criteria,
    games::{Candidate, Reading, Run},
    records::{Records, Text, To, Written},
    rows::Output,
};
use crate::{
    game::Game,
    opening::{SHAPES, Table, tiles},
    query::Facts,
    report::{Cell, Row, RowWriter},
    rules::Color,
};
use std::{fs, io::Write, path::PathBuf};

/// Name the openings of games
///
/// Prints for each game the code and the name of its opening, and the first four tiles that each side moved. The shape of an
/// opening is how the white queen, White's first tile, Black's first tile and the black queen lie once both queens are placed
/// (within ten plies): I straight, J the black queen bent, F the white one, Z bent there and back, C bent twice the same way, X a
/// queen apart from her side's first tile; `-` anything else. A table of your own can name shapes and positions: each line a
/// code, a name, and `bends A B`, a position in any form, or a game string, with tabulators between; the last position of
/// a game that has a name wins. A position names games of its own game type alone.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  hivekit classify archive/
  hivekit classify --table openings.tsv archive.pgn --to pgn > named.pgn
  hivekit classify archive/ --format csv | cut -d, -f3 | sort | uniq -c")]
pub(super) struct Args {
    #[command(flatten)]
    reading: Reading,
    /// Take the names from this file
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    to: To,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    criteria: Criteria,
}

/// Where what was found goes.
enum Sink<'o> {
    Rows(Box<dyn RowWriter + 'o>),
    Records(Records, &'o mut dyn Write),
}

/// A game with its opening.
struct Classified {
    address: String,
    code: Option<String>,
    name: Option<String>,
    tiles: [String; 2],
    players: [Option<String>; 2],
    text: Text,
}

impl Row for Classified {
    const COLUMNS: &'static [&'static str] =
        &["address", "opening", "name", "white_tiles", "black_tiles", "white", "black"];

    fn cells(&self) -> Vec<Cell> {
        let text = |text: &Option<String>| text.clone().map_or(Cell::Missing, Cell::Text);
        let [white, black] = &self.players;
        let [white_tiles, black_tiles] = self.tiles.clone().map(Cell::Text);
        let address = Cell::Text(self.address.clone());
        let opening = [address, text(&self.code), text(&self.name)];
        opening.into_iter().chain([white_tiles, black_tiles, text(white), text(black)]).collect()
    }
}

pub(super) fn run(args: &Args, quiet: bool, io: &mut Io<'_>) -> Result<Verdict, Failure> {
    let table: Table = match &args.table {
        None => SHAPES.parse().map_err(|error| Failure::Input(format!("{error}")))?,
        Some(path) => {
            let wrong = |why: String| Failure::Input(format!("{}: {why}", path.display()));
            let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
            text.parse().map_err(|error: crate::opening::TableError| wrong(error.to_string()))?
        }
    };
    let query = args.criteria.query();
    let Io { out, err } = io;
    let mut run = Run::new(&args.reading, quiet, *err);
    let mut sink = if args.to.is_named() {
        Sink::Records(args.to.records(), &mut **out)
    } else {
        Sink::Rows(args.output.open(Classified::COLUMNS, &mut **out)?)
    };
    let ask = |game: &Game, candidate: &mut Candidate<'_>| {
        let mut facts = Facts { game: Some(game), position: candidate.position };
        query.holds(&mut facts).then(|| args.classified(game, &table))
    };
    run.each_game(ask, |batch| {
        for (number, mut classified) in batch.results {
            classified.address = name_of(&batch.file, number, None);
            match &mut sink {
                Sink::Rows(rows) => rows.row(classified.cells())?,
                Sink::Records(records, out) => {
                    let address = || classified.address.clone();
                    records.write(&classified.text, batch.content, address, *out)?;
                }
            }
        }
        Ok(())
    })?;
    let told = match sink {
        Sink::Rows(rows) => rows.finish().map(|()| Verdict::Clean)?,
        Sink::Records(records, _) => records.tell(quiet, run.err)?,
    };
    Ok(run.verdict_of_all().max(told))
}

impl Args {
    fn classified(&self, game: &Game, table: &Table) -> Classified {
        let opening = table.opening(game);
        let tiles = Color::BOTH.map(|color| tiles(game, color));
        let mut tagged = game.clone();
        let tags = [
            ("Opening", opening.map(|o| o.code.clone())),
            ("OpeningName", opening.map(|o| o.name.clone())),
        ];
        for (name, value) in tags {
            match value {
                Some(value) => tagged.set_tag(name, &value),
                // One of another table.
                None => tagged.remove_tag(name),
            }
        }
        let [white, black] = &tiles;
        tagged.set_tag("WhiteTiles", white);
        tagged.set_tag("BlackTiles", black);
        let named = self.to.is_named();
        let text = if named { self.to.written(&tagged) } else { Ok(Written::default()) };
        Classified {
            address: String::new(),
            code: opening.map(|opening| opening.code.clone()),
            name: opening.map(|opening| opening.name.clone()),
            players: Color::BOTH.map(|color| game.tag(&color.to_string()).map(str::to_owned)),
            tiles,
            text,
        }
    }
}
