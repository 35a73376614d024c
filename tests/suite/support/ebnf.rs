//! A reader, recogniser and generator for the EBNF of `grammar/`. For tests only: simple, not fast.
use std::collections::{BTreeMap, BTreeSet};

/// The productions of a grammar.
pub(crate) struct Grammar {
    pub(crate) rules: BTreeMap<String, Expr>,
}

pub(crate) enum Expr {
    Literal(String),
    Digit,
    Letter,
    Newline,
    Character,
    /// One character that is none of these.
    OneBut(String),
    /// Any number of characters but these.
    TextBut(String),
    Name(String),
    Optional(Box<Expr>),
    Repeated(Box<Expr>),
    Sequence(Vec<Expr>),
    Choice(Vec<Expr>),
}

impl Grammar {
    /// Reads a grammar, on top of one whose productions it may use.
    pub(crate) fn read(text: &str, base: Option<Grammar>) -> Grammar {
        let mut reader = Reader { tokens: tokens(text), at: 0 };
        let mut rules = base.map(|base| base.rules).unwrap_or_default();
        while let Some(name) = reader.next() {
            reader.expect("=");
            let body = reader.choice();
            reader.expect(";");
            rules.insert(name, body);
        }
        Grammar { rules }
    }

    pub(crate) fn accepts(&self, name: &str, text: &str) -> bool {
        self.ends(&self.rules[name], text, 0).contains(&text.len())
    }

    /// All the places where `expr` can end when it begins at `from`.
    fn ends(&self, expr: &Expr, text: &str, from: usize) -> BTreeSet<usize> {
        match expr {
            Expr::Literal(word) if text[from..].starts_with(word) => [from + word.len()].into(),
            Expr::Digit if text[from..].starts_with(|c: char| c.is_ascii_digit()) => {
                [from + 1].into()
            }
            Expr::Letter if text[from..].starts_with(|c: char| c.is_ascii_alphabetic()) => {
                [from + 1].into()
            }
            Expr::Newline if text[from..].starts_with('\n') => [from + 1].into(),
            Expr::Character => {
                text[from..].chars().next().map(|c| from + c.len_utf8()).into_iter().collect()
            }
            Expr::OneBut(not) => text[from..]
                .chars()
                .next()
                .filter(|c| !not.contains(*c))
                .map(|c| from + c.len_utf8())
                .into_iter()
                .collect(),
            Expr::TextBut(not) => {
                let rest = &text[from..];
                let stop = rest.find(|c| not.contains(c)).unwrap_or(rest.len());
                (0..=stop).filter(|&end| rest.is_char_boundary(end)).map(|end| from + end).collect()
            }
            Expr::Literal(_) | Expr::Digit | Expr::Letter | Expr::Newline => BTreeSet::new(),
            Expr::Name(name) => self.ends(&self.rules[name], text, from),
            Expr::Optional(inner) => &self.ends(inner, text, from) | &[from].into(),
            Expr::Repeated(inner) => {
                let (mut all, mut fresh) = (BTreeSet::from([from]), vec![from]);
                while let Some(at) = fresh.pop() {
                    fresh.extend(
                        self.ends(inner, text, at).into_iter().filter(|&end| all.insert(end)),
                    );
                }
                all
            }
            Expr::Sequence(parts) => parts.iter().fold([from].into(), |starts, part| {
                starts.iter().flat_map(|&at| self.ends(part, text, at)).collect()
            }),
            Expr::Choice(parts) => {
                parts.iter().flat_map(|part| self.ends(part, text, from)).collect()
            }
        }
    }

    /// The productions that a production names.
    pub(crate) fn names_in(&self, name: &str) -> Vec<String> {
        fn walk(expr: &Expr, names: &mut Vec<String>) {
            match expr {
                Expr::Name(name) => names.push(name.clone()),
                Expr::Optional(inner) | Expr::Repeated(inner) => walk(inner, names),
                Expr::Sequence(parts) | Expr::Choice(parts) => {
                    parts.iter().for_each(|part| walk(part, names));
                }
                Expr::Literal(_)
                | Expr::Digit
                | Expr::Letter
                | Expr::Newline
                | Expr::Character
                | Expr::OneBut(_)
                | Expr::TextBut(_) => {}
            }
        }
        let mut names = Vec::new();
        walk(&self.rules[name], &mut names);
        names
    }

    pub(crate) fn sentence(&self, name: &str, dice: &mut super::Dice) -> String {
        let mut out = String::new();
        self.speak(&self.rules[name], dice, &mut out);
        out
    }

    fn speak(&self, expr: &Expr, dice: &mut super::Dice, out: &mut String) {
        match expr {
            Expr::Literal(word) => out.push_str(word),
            Expr::Digit => out.push(
                char::from_digit(u32::try_from(dice.below(10)).unwrap_or(0), 10).unwrap_or('0'),
            ),
            Expr::Letter => out.push(['a', 'Z', 'w', 'Q'][dice.below(4)]),
            Expr::Newline => out.push('\n'),
            Expr::Character => out.push(['\\', ']', '[', 'x'][dice.below(4)]),
            Expr::OneBut(not) => {
                out.extend(['x', ' ', 'é', '.'].iter().find(|c| !not.contains(**c)));
            }
            Expr::TextBut(not) => out.extend(
                (0..dice.below(5))
                    .map(|_| ['x', ' ', '"', '[', ']', 'é', '}', '.'][dice.below(8)])
                    .filter(|&c| !not.contains(c)),
            ),
            Expr::Name(name) => self.speak(&self.rules[name], dice, out),
            // A production that names itself must come to an end.
            Expr::Optional(_) | Expr::Repeated(_) if out.len() > 300 => {}
            Expr::Optional(inner) => (0..dice.below(2)).for_each(|_| self.speak(inner, dice, out)),
            Expr::Repeated(inner) => (0..dice.below(4)).for_each(|_| self.speak(inner, dice, out)),
            Expr::Sequence(parts) => parts.iter().for_each(|part| self.speak(part, dice, out)),
            Expr::Choice(parts) => self.speak(&parts[dice.below(parts.len())], dice, out),
        }
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' if rest.starts_with("(*") => {
                rest = rest.split_once("*)").expect("comment ends").1.trim_start();
                continue;
            }
            '"' | '\'' | '?' => rest[1..].find(first).expect("quote ends") + 2,
            c if c.is_ascii_alphabetic() => {
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len())
            }
            _ => 1,
        };
        out.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    out
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t == token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "expected `{token}`, found {:?}", self.tokens.get(self.at));
    }

    fn choice(&mut self) -> Expr {
        let mut parts = vec![self.sequence()];
        while self.eat("|") {
            parts.push(self.sequence());
        }
        if parts.len() == 1 { parts.remove(0) } else { Expr::Choice(parts) }
    }

    fn sequence(&mut self) -> Expr {
        let mut parts = vec![self.factor()];
        while self.eat(",") {
            parts.push(self.factor());
        }
        if parts.len() == 1 { parts.remove(0) } else { Expr::Sequence(parts) }
    }

    fn factor(&mut self) -> Expr {
        let token = self.next().expect("a factor");
        let inner = |reader: &mut Self, close: &str| {
            let inner = reader.choice();
            reader.expect(close);
            inner
        };
        match token.as_str() {
            "(" => inner(self, ")"),
            "[" => Expr::Optional(Box::new(inner(self, "]"))),
            "{" => Expr::Repeated(Box::new(inner(self, "}"))),
            "?digit?" => Expr::Digit,
            "?letter?" => Expr::Letter,
            "?newline?" => Expr::Newline,
            "?character?" => Expr::Character,
            special if special.starts_with('?') => {
                let (kind, set) = special.split_once(" but ").expect("a special sequence");
                let set = set[1..set.len() - 2].replace("\\n", "\n");
                match kind {
                    "?one" => Expr::OneBut(format!("{set}\r")),
                    "?text" => Expr::TextBut(format!("{set}\n\r")),
                    "?lines" => Expr::TextBut(set),
                    _ => panic!("{special} is no special sequence"),
                }
            }
            quoted if quoted.starts_with(['"', '\'']) => {
                Expr::Literal(quoted[1..quoted.len() - 1].to_owned())
            }
            name => Expr::Name(name.to_owned()),
        }
    }
}
