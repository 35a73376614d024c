//! Ready reports: what they count, where the user does not say it himself.
use super::column::Column;

/// A ready report.
pub(super) struct Preset {
    /// The keys, as `--by` has them.
    pub(super) by: &'static [&'static str],
    pub(super) metrics: &'static [&'static str],
    /// The metric by which the groups are sorted.
    pub(super) sort: Option<&'static str>,
    /// The metric that is drawn as bars.
    pub(super) bars: Option<&'static str>,
}

impl Preset {
    /// The columns where sides are counted: what they won and lost, and not who had which colour.
    pub(super) fn of_side(&self) -> Vec<Column> {
        let of_side = |name: &&'static str| match *name {
            "white" => "won",
            "black" => "lost",
            name => name,
        };
        Column::all(&self.metrics.iter().map(of_side).collect::<Vec<_>>())
    }
}

/// What is told of groups by itself.
pub(super) const USUAL: Preset = Preset {
    by: &[],
    metrics: &["games", "white", "draw", "black", "open", "score", "plies"],
    sort: None,
    bars: None,
};

pub(super) const OPENINGS: Preset = Preset {
    by: &["opening"],
    metrics: &["games", "white", "draw", "black", "open", "score", "plies", "queen_turn"],
    sort: Some("games"),
    bars: None,
};

pub(super) const PIECES: Preset = Preset {
    by: &["piece"],
    metrics: &[
        "games",
        "placed",
        "placed_turn",
        "moved",
        "distance",
        "abilities",
        "thrown",
        "covered",
        "decisive",
    ],
    sort: None,
    bars: None,
};

pub(super) const LENGTH: Preset = Preset {
    by: &["length:10"],
    metrics: &["games", "white", "draw", "black", "open", "score", "on_board"],
    sort: None,
    bars: Some("games"),
};

pub(super) const MOBILITY: Preset = Preset {
    by: &["ply:10"],
    metrics: &[
        "games",
        "mobility",
        "most_mobility",
        "passes",
        "pinned",
        "queen_neighbours",
        "stacked",
        "covered",
    ],
    sort: None,
    bars: Some("mobility"),
};
