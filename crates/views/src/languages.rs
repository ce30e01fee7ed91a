//! The texts of the page in other languages than English.

use crate::join::joined_script;
use crate::module::Kind;
use crate::page::PageFile;

/// The languages: the file that the page reads, the module of the texts and their name in the module.
const LANGUAGES: [(&str, &str, &str); 5] = [
    ("de.js", "modules/text_de.js", "GERMAN"),
    ("es.js", "modules/text_es.js", "SPANISH"),
    ("fr.js", "modules/text_fr.js", "FRENCH"),
    ("pt-BR.js", "modules/text_pt_br.js", "BRAZILIAN"),
    ("pt-PT.js", "modules/text_pt_pt.js", "PORTUGUESE"),
];

/// Returns the texts of each language as a module. The page reads at most one of them.
pub fn language_files() -> [PageFile; LANGUAGES.len()] {
    LANGUAGES.map(|(name, module, texts)| PageFile {
        name,
        content: format!("{}export default {texts};\n", joined_script(&[module])).into(),
        kind: Kind::Script,
    })
}

/// Returns the name of the file that the page reads for a browser with this `Accept-Language`, or nothing for English. The
/// page decides by the same rule: Portuguese without a region is that of Brazil, that of other countries is that of Portugal.
pub fn preferred_language_file(accepted: &str) -> Option<&'static str> {
    let tags = accepted.split([',', ';']).map(str::trim);
    let codes = tags.map(|tag| match tag.split_once('-').unwrap_or((tag, "BR")) {
        ("pt", "BR") => "pt-BR",
        ("pt", _) => "pt-PT",
        (language, _) => language,
    });
    let file = |code| LANGUAGES.iter().find(|(name, ..)| name.strip_suffix(".js") == Some(code));
    let mut known = codes.take_while(|code| *code != "en").filter_map(file);
    known.next().map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::module;

    #[test]
    fn languages_have_the_keys_and_parameters_of_english() {
        let english = entries("modules/text.js");
        assert!(english.contains(&("tableOf".to_owned(), vec!["title".to_owned()])), "{english:?}");
        for (_, name, _) in LANGUAGES {
            let own = entries(name);
            let missing: Vec<_> = english.iter().filter(|entry| !own.contains(entry)).collect();
            let unknown: Vec<_> = own.iter().filter(|entry| !english.contains(entry)).collect();
            assert!(unknown.is_empty(), "{name} has {unknown:?}");
            let is_difference =
                !crate::imports::imported(name, module(name).expect("a module").text).is_empty();
            assert!(missing.is_empty() || is_difference, "{name} lacks {missing:?}");
        }
    }

    #[test]
    fn file_of_a_browser_is_that_of_its_first_known_language() {
        for (accepted, expected) in [
            ("de-CH,de;q=0.9,en;q=0.8", Some("de.js")),
            ("ja, fr;q=0.5", Some("fr.js")),
            ("pt", Some("pt-BR.js")),
            ("pt-BR,pt;q=0.9", Some("pt-BR.js")),
            ("pt-AO", Some("pt-PT.js")),
            ("en-GB,de;q=0.9", None),
            ("ja", None),
            ("", None),
        ] {
            assert_eq!(preferred_language_file(accepted), expected, "{accepted}");
        }
    }

    /// Returns the keys of the texts of a module, each with the parameters that its function uses.
    fn entries(name: &str) -> Vec<(String, Vec<String>)> {
        let text = module(name).expect("a module").text;
        let code = text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
        let code = code.collect::<String>().replace("{ ", "{\n").replace("', ", "',\n");
        let mut found: Vec<(String, String)> = vec![];
        for line in code.lines().map(str::trim) {
            match (line.split_once(':').filter(|(key, _)| is_key(key)), found.last_mut()) {
                (Some((key, value)), _) => found.push((key.to_owned(), value.trim().to_owned())),
                (None, Some((_, value))) => value.push_str(line),
                (None, None) => {}
            }
        }
        found.into_iter().map(|(key, value)| (key, used_parameters(&value))).collect()
    }

    fn is_key(text: &str) -> bool {
        let is_quoted = text.len() > 2 && text.starts_with('\'') && text.ends_with('\'');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.chars().all(is_plain) || (is_quoted && !text[1..text.len() - 1].contains('\''))
    }

    fn used_parameters(value: &str) -> Vec<String> {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect()
        };
        let function = value.strip_prefix('(').and_then(|rest| rest.split_once(") =>"));
        let Some((parameters, body)) = function else { return vec![] };
        let used = words(body);
        words(parameters).into_iter().filter(|word| !word.is_empty() && used.contains(word)).collect()
    }
}
