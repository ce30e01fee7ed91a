//! Separates the code, the comments and the string literals of a Rust file, so that a rule can check one of the three.
//! This is not a parser: it only finds the start and end of literals and comments.

/// The text of a Rust file in three layers: code, comments and string literals. `code` and `comments` have the lines
/// and columns of the file; the text of the other layers is replaced by spaces.
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
        let mut rest = text;
        let mut line = 1;
        while !rest.is_empty() {
            let (layer, length) =
                next(rest, layers.code.ends_with(|last: char| last.is_alphanumeric() || last == '_'));
            let (piece, after) = rest.split_at(length);
            let blank: String = piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            layers.code.push_str(if layer == Layer::Code { piece } else { &blank });
            layers.comments.push_str(if layer == Layer::Comment { piece } else { &blank });
            if layer == Layer::Literal {
                let content = piece.trim_start_matches(|c| c != '"').trim_end_matches('#');
                layers.literals.push((line, content.trim_matches('"').to_owned()));
            }
            line += piece.matches('\n').count();
            rest = after;
        }
        layers
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Code,
    Comment,
    Literal,
}

/// Returns the layer that begins at the start of `rest`, and its length in bytes. `in_word` is true if a word ends just
/// before `rest`.
fn next(rest: &str, in_word: bool) -> (Layer, usize) {
    if rest.starts_with("//") {
        return (Layer::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Layer::Comment, block_comment(rest));
    }
    if let Some(length) = raw_string(rest).filter(|_| !in_word) {
        return (Layer::Literal, length);
    }
    if rest.starts_with('"') {
        return (Layer::Literal, quoted(rest, '"'));
    }
    if let Some(length) = character_literal(rest) {
        return (Layer::Code, length);
    }
    (Layer::Code, rest.chars().next().map_or(1, char::len_utf8))
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// Returns the length in bytes of a raw string literal such as `r"…"` or `br#"…"#`.
fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|after| after.trim_start_matches('#').starts_with('"'))
    })?;
    let after = &rest[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let open = prefix.len() + hashes + 1;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(rest[open..].find(&close).map_or(rest.len(), |at| open + at + close.len()))
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Returns the length in bytes of the character literal at the start of `rest`. `None` for a lifetime.
pub(crate) fn character_literal(rest: &str) -> Option<usize> {
    let mut after = rest.strip_prefix('\'')?.chars();
    let is_literal = match after.next()? {
        '\\' => true,
        _ => after.next() == Some('\''),
    };
    is_literal.then(|| quoted(rest, '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_comments_and_code_are_separated() {
        let text =
            RustText::of("let a = \"x // \\\" y\"; // said \"so\"\nlet b = '\"'; /* a /* b */ c */ done()");
        assert_eq!(text.literals, [(1, "x // \\\" y".to_owned())]);
        assert_eq!(
            text.code.split_whitespace().collect::<Vec<_>>().join(" "),
            "let a = ; let b = '\"'; done()"
        );
        assert_eq!(
            text.comments.lines().map(str::trim).collect::<Vec<_>>(),
            ["// said \"so\"", "/* a /* b */ c */"]
        );
    }

    #[test]
    fn raw_strings_are_literals_and_lifetimes_are_code() {
        let text =
            RustText::of("fn f<'a>(x: &'a str) { g(r#\"a \"quoted\" // word\"#, br\"c\\\"); }\nvar\"d\"");
        let literals: Vec<&str> = text.literals.iter().map(|(_, literal)| literal.as_str()).collect();
        assert_eq!(literals, ["a \"quoted\" // word", "c\\", "d"]);
        assert!(text.code.starts_with("fn f<'a>(x: &'a str) { g("));
    }

    #[test]
    fn lines_keep_their_numbers() {
        let text = RustText::of("a\n\"b\nc\"\n/* d\n*/ e // f\n\"g\"");
        assert_eq!(text.code.lines().nth(4).map(str::trim), Some("e"));
        assert_eq!(text.comments.lines().nth(4).map(str::trim), Some("*/   // f"));
        assert_eq!(text.literals, [(2, "b\nc".to_owned()), (6, "g".to_owned())]);
    }
}
