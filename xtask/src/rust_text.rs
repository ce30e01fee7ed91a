//! Separates the code, the comments and the string literals of a Rust file, so that a rule can check one of the three.
//! This is not a parser: it only finds the start and end of literals and comments.

use std::sync::LazyLock;

use regex::Regex;

/// A comment, a string literal with its content, or a character literal. Block comments are not nested here.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let strings = [r#"r"(?<a>[^"]*)""#, r##"r#"(?<b>.*?)"#"##, r###"r##"(?<c>.*?)"##"###].join("|");
    let pattern = format!(
        r#"(?s)(?<comment>//[^\n]*|/\*.*?\*/)|\b[bc]?(?:{strings})|"(?<d>(?:\\.|[^"\\])*)"|'(?:\\.[^']*|[^\\'])'"#
    );
    Regex::new(&pattern).expect("the pattern is valid")
});

/// The text of a Rust file in three layers: code, comments and string literals. `code` and `comments` have the lines of the
/// file; the text of the other layers is replaced by spaces.
#[derive(Debug, Default)]
pub(crate) struct RustText {
    pub(crate) code: String,
    pub(crate) comments: String,
    /// Line number and content of each string literal. Escapes are not decoded.
    pub(crate) literals: Vec<(usize, String)>,
}

impl RustText {
    pub(crate) fn of(text: &str) -> RustText {
        let mut layers = RustText::default();
        let (mut end, mut line) = (0, 1);
        for found in TOKEN.captures_iter(text) {
            let Some(token) = found.get(0) else { continue };
            let before = &text[end..token.start()];
            line += before.matches('\n').count();
            layers.add(before, true, false);
            let literal = ["a", "b", "c", "d"].iter().find_map(|name| found.name(name));
            layers.literals.extend(literal.map(|literal| (line, literal.as_str().to_owned())));
            let is_comment = found.name("comment").is_some();
            layers.add(token.as_str(), !is_comment && literal.is_none(), is_comment);
            line += token.as_str().matches('\n').count();
            end = token.end();
        }
        layers.add(&text[end..], true, false);
        layers
    }

    fn add(&mut self, piece: &str, is_code: bool, is_comment: bool) {
        let blank: String = piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        self.code.push_str(if is_code { piece } else { &blank });
        self.comments.push_str(if is_comment { piece } else { &blank });
    }
}

/// Returns the names and keywords of a line of code.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_comments_and_code_are_separated_and_keep_their_lines() {
        let text = "fn f<'a>(x: &'a str) { g(r#\"a \"b\" // c\"#, br\"c\\\"); }\nlet a = \"x // \\\" y\"; // said \"so\"\n\
                    let b = '\"'; /* a\nb */ \"d\ne\" done()";
        let layers = RustText::of(text);
        let literals = [(1, "a \"b\" // c"), (1, "c\\"), (2, "x // \\\" y"), (4, "d\ne")];
        assert_eq!(layers.literals, literals.map(|(line, literal)| (line, literal.to_owned())));
        let plain = |text: &str| {
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(
            plain(&layers.code),
            ["fn f<'a>(x: &'a str) { g( , ); }", "let a = ;", "let b = '\"';", "", "done()"]
        );
        assert_eq!(plain(&layers.comments), ["", "// said \"so\"", "/* a", "b */", ""]);
    }
}
