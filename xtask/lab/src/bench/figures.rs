//! Figures of a scenario: values with their units, and the bounds that they are compared with.

use serde_json::{Value, json};

use crate::command::print_line;

/// A measured value.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

/// A measured value with the bound that it must keep.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) bound: Bound,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// The figures and verdicts of one scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) figures: Vec<Figure>,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Outcome {
    /// Prints the figures, and each verdict with its bound.
    pub(crate) fn print(&self) {
        for figure in &self.figures {
            print_line(&format!("  {:<70} {:>16}", figure.name, display(figure.value, figure.unit)));
        }
        for verdict in &self.verdicts {
            let value = display(verdict.value, verdict.unit);
            let mark = if verdict.is_met() { "met" } else { "NOT MET" };
            let bound = verdict.bound.text(verdict.unit);
            print_line(&format!("  {:<70} {value:>16}  {bound}: {mark}", verdict.name));
        }
    }

    pub(crate) fn figure(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.figures.push(Figure { name: name.into(), value, unit });
    }

    pub(crate) fn at_least(&mut self, name: impl Into<String>, value: f64, unit: &'static str, bound: f64) {
        self.verdicts.push(Verdict { name: name.into(), value, unit, bound: Bound::AtLeast(bound) });
    }

    pub(crate) fn at_most(&mut self, name: impl Into<String>, value: f64, unit: &'static str, bound: f64) {
        self.verdicts.push(Verdict { name: name.into(), value, unit, bound: Bound::AtMost(bound) });
    }

    /// Adds the figures and verdicts of a part, with the part's name before theirs.
    pub(crate) fn add(&mut self, name: &str, part: Outcome) {
        self.figures.extend(
            part.figures
                .into_iter()
                .map(|figure| Figure { name: format!("{name}: {}", figure.name), ..figure }),
        );
        self.verdicts.extend(
            part.verdicts
                .into_iter()
                .map(|verdict| Verdict { name: format!("{name}: {}", verdict.name), ..verdict }),
        );
    }

    pub(crate) fn to_json(&self) -> Value {
        let figures = self.figures.iter();
        let figures = figures.map(|f| json!({ "name": f.name, "value": f.value, "unit": f.unit }));
        let verdicts = self.verdicts.iter().map(|v| {
            json!({
                "name": v.name, "value": v.value, "unit": v.unit, "bound": v.bound.text(v.unit), "met": v.is_met()
            })
        });
        json!({ "figures": figures.collect::<Vec<_>>(), "verdicts": verdicts.collect::<Vec<_>>() })
    }
}

impl Verdict {
    pub(crate) fn is_met(&self) -> bool {
        match self.bound {
            Bound::AtLeast(bound) => self.value >= bound,
            Bound::AtMost(bound) => self.value <= bound,
        }
    }
}

impl Bound {
    pub(crate) fn text(self, unit: &str) -> String {
        match self {
            Bound::AtLeast(bound) => format!("≥ {}", display(bound, unit)),
            Bound::AtMost(bound) => format!("≤ {}", display(bound, unit)),
        }
    }
}

/// Writes a value with three significant digits or as a whole number, and its unit.
pub(crate) fn display(value: f64, unit: &str) -> String {
    let number = match value.abs() {
        _ if !value.is_finite() => "not measured".to_owned(),
        size if size >= 100.0 => grouped(value),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// Writes a whole number with a comma between groups of three digits.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digit != '-' && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the median. Without values, the result is not a number.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        length if length.is_multiple_of(2) => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_the_middle_value() {
        assert!((median([3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median([4.0, 1.0]) - 2.5).abs() < 1e-9);
        assert!(median([]).is_nan());
    }

    #[test]
    fn values_are_shown_with_three_digits() {
        assert_eq!(display(0.4567, ""), "0.46");
        assert_eq!(display(12.34, "ms"), "12.3 ms");
        assert_eq!(display(1_234_567.0, "/s"), "1,234,567 /s");
        assert_eq!(display(999.0, ""), "999");
    }

    #[test]
    fn bound_decides_the_verdict() {
        let mut outcome = Outcome::default();
        outcome.at_least("a", 0.5, "", 0.42);
        outcome.at_most("b", 21.0, "ms", 20.0);
        outcome.at_most("c", f64::NAN, "ms", 20.0);
        let met: Vec<bool> = outcome.verdicts.iter().map(Verdict::is_met).collect();
        assert_eq!(met, [true, false, false]);
        assert_eq!(outcome.verdicts[1].bound.text("ms"), "≤ 20.0 ms");
    }
}
