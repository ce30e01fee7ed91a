//! Splits the code of a Rust file into words and punctuation.

use crate::rust_text::{RustText, character_literal};

/// A word, `::`, or one character of punctuation, with its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Token {
    /// Returns true if the token is an identifier or a keyword.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_character)
    }
}

/// Returns the tokens of a file. Comments, literals, lifetimes, attributes and items behind `#[cfg(test)]` are left
/// out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    without_attributes(&split(&RustText::of(text).code))
}

fn split(code: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => character_literal(rest).unwrap_or_else(|| lifetime(rest)),
            ':' if rest.starts_with("::") => 2,
            _ if is_word_character(first) => rest.find(|c| !is_word_character(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (text, after) = rest.split_at(length);
        if first != '\'' && !first.is_whitespace() {
            found.push(Token { line, text: text.to_owned() });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

fn lifetime(rest: &str) -> usize {
    rest[1..].find(|c| !is_word_character(c)).map_or(rest.len(), |end| end + 1)
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Removes attributes. An item behind `#[cfg(test)]` is removed with its attribute.
fn without_attributes(tokens: &[Token]) -> Vec<Token> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let bracket = at + 1 + usize::from(text(at + 1) == "!");
        if text(at) != "#" || text(bracket) != "[" {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let end = end_of_group(tokens, bracket);
        let inside: Vec<&str> = (bracket + 1..end).map(text).collect();
        at = end;
        if inside.first() == Some(&"cfg") && inside.contains(&"test") && !inside.contains(&"not") {
            at = end_of_item(tokens, at);
        }
    }
    kept
}

/// Returns the index of the token after the bracket that closes the bracket at `open`.
fn end_of_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Returns the index of the token after the item, field, variant or match arm that starts at `at`.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    const ITEMS: [&str; 13] = [
        "pub",
        "fn",
        "mod",
        "use",
        "struct",
        "enum",
        "impl",
        "trait",
        "type",
        "const",
        "static",
        "async",
        "macro_rules",
    ];
    while tokens.get(at).is_some_and(|token| token.text == "#") {
        at = end_of_group(tokens, at + 1);
    }
    let is_item = tokens.get(at).is_some_and(|token| ITEMS.contains(&token.text.as_str()));
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "{" if is_item => return end_of_group(tokens, at),
            "(" | "[" | "{" => at = end_of_group(tokens, at),
            ";" => return at + 1,
            "," if !is_item => return at + 1,
            "}" => return at,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        tokens(text).iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn literals_lifetimes_and_attributes_are_left_out() {
        let text =
            "#![deny(a)]\n#[derive(B)]\nfn f<'a>(x: &'a str) { crate::g(\"::\", '{', b'\\'') } // h::i";
        assert_eq!(joined(text), "fn f < > ( x : & str ) { crate :: g ( , , b ) }");
    }

    #[test]
    fn test_items_are_left_out() {
        let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\nuse a::b;\n#[cfg(all(test, unix))]\nfn t() { x() }\n\
                    enum E { A, #[cfg(test)] B { c: u8 }, C }\n#[cfg(not(test))]\nfn g() {}";
        assert_eq!(joined(text), "use a :: b ; enum E { A , C } fn g ( ) { }");
    }

    #[test]
    fn tokens_know_their_lines() {
        let lines: Vec<(usize, String)> =
            tokens("a\n\"b\nc\"\n  d::e").into_iter().map(|token| (token.line, token.text)).collect();
        let expected = [(1, "a"), (4, "d"), (4, "::"), (4, "e")];
        assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    }
}
