//! Splits an SQL file into words, and finds the condition that restricts its rows to one user.

/// The comments and the words of an SQL file, each with its line number. Literals and quoted names are left out.
#[derive(Debug, Default)]
pub(super) struct Sql {
    pub(super) comments: Vec<(usize, String)>,
    /// The words in lower case. A punctuation character is a word, and so is `$1`. Each end of a function's body (`$$`) is
    /// a semicolon.
    pub(super) words: Vec<(usize, String)>,
}

impl Sql {
    pub(super) fn of(text: &str) -> Sql {
        let mut sql = Sql::default();
        let mut rest = text;
        let mut line = 1;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                // A doubled quote inside a literal is read as the end of a literal and the start of the next. The
                // result is the same.
                '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
                '$' if rest.starts_with("$$") => 2,
                _ if is_word(first) => {
                    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                    rest[..end].find("$$").unwrap_or(end)
                }
                _ => first.len_utf8(),
            };
            let (piece, after) = rest.split_at(length);
            if piece.starts_with("--") || piece.starts_with("/*") {
                sql.comments.push((line, piece.to_owned()));
            } else if !first.is_whitespace() && first != '\'' && first != '"' {
                sql.words.push((line, piece.to_lowercase().replace("$$", ";")));
            }
            line += piece.matches('\n').count();
            rest = after;
        }
        sql
    }

    /// Returns the words without their line numbers.
    pub(super) fn plain_words(&self) -> Vec<&str> {
        self.words.iter().map(|(_, word)| word.as_str()).collect()
    }

    /// Returns true if a `where` requires `user_id = $1` of every row: the condition must be outside of `or`, `not` and
    /// brackets.
    pub(super) fn restricts_to_user(&self) -> bool {
        let mut outer = Vec::new();
        let mut clause = Clause::default();
        let mut restricted = false;
        let words = self.plain_words();
        for (at, word) in words.iter().enumerate() {
            match *word {
                "(" => outer.push(std::mem::take(&mut clause)),
                ")" => {
                    restricted |= clause.restricts_to_user();
                    clause = outer.pop().unwrap_or_default();
                }
                _ if CLAUSES.split(' ').any(|clause| clause == *word) => {
                    restricted |= clause.restricts_to_user();
                    clause = Clause { is_where: *word == "where", ..Clause::default() };
                }
                "or" | "case" => clause.loosened = true,
                "user_id" if words[at + 1..].starts_with(&["=", "$1"]) => {
                    let column = if at > 1 && words[at - 1] == "." { at - 2 } else { at };
                    clause.user |= column == 0 || words[column - 1] != "not";
                }
                _ => {}
            }
        }
        restricted || clause.restricts_to_user()
    }
}

/// Keywords that start a clause, and therefore end the condition before them.
const CLAUSES: &str = "select from join on where group having window order limit union returning";

#[derive(Default)]
struct Clause {
    is_where: bool,
    user: bool,
    loosened: bool,
}

impl Clause {
    fn restricts_to_user(&self) -> bool {
        self.is_where && self.user && !self.loosened
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_left_out_of_words() {
        let sql = Sql::of("-- drop it\nSELECT 'update' /* set */, \"Delete\"\nfrom a$1 as $$begin$$");
        let words: Vec<(usize, &str)> = sql.words.iter().map(|(line, word)| (*line, word.as_str())).collect();
        let last = [(3, "from"), (3, "a$1"), (3, "as"), (3, ";"), (3, "begin"), (3, ";")];
        assert_eq!(words, [&[(2, "select"), (2, ",")][..], &last].concat());
        assert_eq!(sql.comments, [(1, "-- drop it".to_owned()), (2, "/* set */".to_owned())]);
    }

    #[test]
    fn user_condition_must_hold_for_every_row() {
        for (text, expected) in [
            ("select a from t where t.user_id = $1 and (b or c) order by a", true),
            ("select a from t where t.b is not null and t.user_id = $1", true),
            ("with x as (select a from t where t.user_id = $1) select a from x where x.b or x.c", true),
            ("select a from t where t.user_id = $1 OR b", false),
            ("select a from t where b and (t.user_id = $1 or c)", false),
            ("select a from t where not t.user_id = $1", false),
            ("select a from t where not user_id = $1 and b", false),
            ("select a from t where not (user_id = $1)", false),
            ("select a from t where t.user_id = $2", false),
            ("select t.user_id = $1 from t", false),
            ("select a from t join u on t.user_id = $1", false),
        ] {
            assert_eq!(Sql::of(text).restricts_to_user(), expected, "{text}");
        }
    }
}
