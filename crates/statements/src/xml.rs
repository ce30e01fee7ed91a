//! Reads XML element by element, without entities and document types.

use passbook_input::Fault;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::text::line_of;
use super::{DEPTH_MAX, TEXT_BYTES_MAX};

/// Maximum number of elements in one record.
const NODES_MAX: usize = 100_000;

/// An element with its content. Names have no namespace prefix.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
    /// Byte positions of the element in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Node {
    /// Returns the first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the children with this name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the descendant on a path of names.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// Returns the text on a path of names; `None` if it is empty.
    pub(super) fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path).map(|node| node.text.trim()).filter(|text| !text.is_empty())
    }

    /// Number of elements, the element itself included.
    fn size(&self) -> usize {
        1 + self.children.iter().map(Node::size).sum::<usize>()
    }

    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A start or end of an element outside the records.
#[derive(Debug)]
pub(super) enum XmlStep {
    /// A start tag. [`XmlReader::content`] reads its content.
    Open(Node),
    /// An end tag, or the end of an empty element.
    Close,
    /// The end of the document.
    End,
}

/// Iterates over the elements of a document.
#[derive(Debug)]
pub(super) struct XmlReader<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    depth: usize,
    /// The last start tag was an empty element, whose end has not been returned.
    empty: bool,
}

impl<'a> XmlReader<'a> {
    pub(super) fn new(text: &'a str) -> XmlReader<'a> {
        // Text before the first element would make quick-xml read from a wrong position.
        XmlReader { text, reader: Reader::from_str(text), depth: 0, empty: false }
    }

    /// Returns the next start or end of an element. Text is left out.
    ///
    /// # Errors
    /// The document is not well-formed, has a document type or an entity, is nested too deeply, or ends inside an
    /// element.
    pub(super) fn step(&mut self) -> Result<XmlStep, Fault> {
        if std::mem::take(&mut self.empty) {
            self.depth -= 1;
            return Ok(XmlStep::Close);
        }
        loop {
            match self.event()? {
                Piece::Open(node) => return Ok(XmlStep::Open(node)),
                Piece::Close => return Ok(XmlStep::Close),
                Piece::Text(_) => {}
                Piece::End => return Ok(XmlStep::End),
            }
        }
    }

    /// Reads the content of the element that [`Self::step`] opened. Of repeated children named `first_two_of`, only
    /// two are read.
    ///
    /// # Errors
    /// As [`Self::step`]; or a text or the number of elements is over its limit.
    pub(super) fn content(&mut self, mut node: Node, first_two_of: &str) -> Result<Node, Fault> {
        if std::mem::take(&mut self.empty) {
            self.depth -= 1;
            node.end = self.position();
            return Ok(node);
        }
        let mut count = 0;
        let mut open: Vec<Node> = Vec::new();
        loop {
            match self.event()? {
                Piece::Open(child) => {
                    count += 1;
                    if count > NODES_MAX {
                        let rule = format!("must have at most {NODES_MAX} elements in one record");
                        return Err(self.fault(rule));
                    }
                    open.push(std::mem::replace(&mut node, child));
                    if !std::mem::take(&mut self.empty) {
                        continue;
                    }
                    self.depth -= 1;
                }
                Piece::Text(text) => {
                    node.text.push_str(&text);
                    if node.text.len() > TEXT_BYTES_MAX {
                        return Err(self.fault(format!("must have texts of at most {TEXT_BYTES_MAX} bytes")));
                    }
                    continue;
                }
                Piece::Close => {}
                Piece::End => {
                    return Err(self.fault("must end its elements: the file is truncated".to_owned()));
                }
            }
            node.end = self.position();
            let Some(parent) = open.pop() else { return Ok(node) };
            let child = std::mem::replace(&mut node, parent);
            if child.name != first_two_of || node.all(first_two_of).count() < 2 {
                node.children.push(child);
            } else {
                count -= child.size();
            }
        }
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(self.text.len()).min(self.text.len())
    }

    fn fault(&self, rule: String) -> Fault {
        Fault::new(format!("line {}", line_of(self.text, self.position())), rule)
    }

    fn event(&mut self) -> Result<Piece, Fault> {
        let start = self.position();
        let event = self.reader.read_event();
        let event = event.map_err(|error| self.fault(format!("must be well-formed XML: {error}")))?;
        let piece = match event {
            Event::Start(tag) => self.open(&tag, start)?,
            Event::Empty(tag) => {
                let piece = self.open(&tag, start)?;
                self.empty = true;
                piece
            }
            Event::End(_) => {
                self.depth = self.depth.saturating_sub(1);
                Piece::Close
            }
            Event::Text(text) => Piece::Text(text.to_string()),
            Event::CData(text) => Piece::Text(text.to_string()),
            Event::GeneralRef(name) => {
                let resolved = match &*name {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => name.resolve_char_ref().ok().flatten(),
                };
                let refused =
                    || self.fault("must not use entities other than those of XML itself".to_owned());
                Piece::Text(resolved.filter(|c| *c != '\0').ok_or_else(refused)?.to_string())
            }
            Event::DocType(_) => return Err(self.fault("must not declare a document type".to_owned())),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Piece::Text(String::new()),
            Event::Eof if self.depth > 0 => {
                return Err(self.fault("must end its elements: the file is truncated".to_owned()));
            }
            Event::Eof => Piece::End,
        };
        Ok(piece)
    }

    fn open(&mut self, tag: &BytesStart<'_>, start: usize) -> Result<Piece, Fault> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.fault(format!("must nest elements at most {DEPTH_MAX} deep")));
        }
        let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute =
                attribute.map_err(|error| self.fault(format!("must be well-formed XML: {error}")))?;
            attributes.push((local(attribute.key.as_ref()), attribute.value.to_string()));
        }
        let name = local(tag.name().as_ref());
        Ok(Piece::Open(Node { name, attributes, start, ..Node::default() }))
    }
}

enum Piece {
    Open(Node),
    Close,
    Text(String),
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(text: &str) -> Result<String, String> {
        let mut reader = XmlReader::new(text);
        let mut seen = String::new();
        loop {
            match reader.step().map_err(|fault| fault.to_string())? {
                XmlStep::Open(node) if node.name == "r" => {
                    let node = reader.content(node, "d").map_err(|fault| fault.to_string())?;
                    seen += &format!("{}:{}:{} ", node.name, node.text.trim(), node.children.len());
                }
                XmlStep::Open(node) => seen += &format!("<{} ", node.name),
                XmlStep::Close => seen += "> ",
                XmlStep::End => return Ok(seen),
            }
        }
    }

    #[test]
    fn records_are_read_as_trees() {
        let text = "<?xml version='1.0'?><n:a x='1'><!-- c --><e/><r>1 &amp; &#50;<d/><d>x</d><d>y</d><f><![CDATA[<]]></f></r></n:a>";
        assert_eq!(walk(text).unwrap(), "<a <e > r:1 & 2:3 > ");
    }

    #[test]
    fn hostile_documents_are_rejected() {
        let deep = "<a>".repeat(65);
        for (text, expected) in [
            ("<!DOCTYPE a>\n<a/>", "line 1: must not declare a document type"),
            ("<a>\n<r>&lol;</r></a>", "line 2: must not use entities other than those of XML itself"),
            ("<a><b>", "line 1: must end its elements: the file is truncated"),
            ("<a><r><b>", "line 1: must end its elements: the file is truncated"),
            (&deep, "line 1: must nest elements at most 64 deep"),
        ] {
            assert_eq!(walk(text), Err(expected.to_owned()), "{text}");
        }
        assert!(walk("<a></b>").unwrap_err().contains("must be well-formed XML"));
    }
}
