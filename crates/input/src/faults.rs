//! A collection of faults that limits the number of faults it keeps.

use crate::Fault;

/// The faults of one input. Keeps the first faults up to a limit, and counts the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    stored: Vec<Fault>,
    stored_max: usize,
    /// Number of faults that were found but not stored.
    omitted: u64,
}

impl Faults {
    /// Creates an empty collection that keeps at most `stored_max` faults, so that an input full of faults does not fill
    /// the memory.
    pub fn with_limit(stored_max: usize) -> Faults {
        Faults { stored: Vec::new(), stored_max, omitted: 0 }
    }

    /// Creates an empty collection that keeps every fault. For inputs whose own maximum size bounds the number of
    /// faults.
    pub fn unlimited() -> Faults {
        Faults::with_limit(usize::MAX)
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        self.push_with(|| fault);
    }

    /// Adds a fault that is built only if it is stored, so that a hostile input cannot make each counted fault cost
    /// memory.
    pub fn push_with(&mut self, fault: impl FnOnce() -> Fault) {
        if self.stored.len() < self.stored_max {
            self.stored.push(fault());
        } else {
            self.omitted += 1;
        }
    }

    /// Adds to the number of faults that were found but not stored.
    pub fn add_omitted(&mut self, count: u64) {
        self.omitted += count;
    }

    /// Adds all faults of another collection. The limit of this collection applies.
    pub fn append(&mut self, other: Faults) {
        self.extend(other.stored);
        self.omitted += other.omitted;
    }

    /// Returns true if no fault was found.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty() && self.omitted == 0
    }

    /// Returns the number of faults found, including those that were not stored.
    pub fn count(&self) -> u64 {
        self.stored.len() as u64 + self.omitted
    }

    /// Returns the value if no fault was found.
    ///
    /// # Errors
    /// The faults.
    pub fn none_or<T>(self, value: T) -> Result<T, Faults> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Removes the received value from every fault, for input that may be a secret.
    #[must_use]
    pub fn without_received(self) -> Faults {
        Faults { stored: self.stored.into_iter().map(Fault::without_received).collect(), ..self }
    }

    /// Returns the faults in the order found. If some were not stored, a last entry states their number.
    pub fn into_list(mut self) -> Vec<Fault> {
        if self.omitted > 0 {
            self.stored.push(Fault::omitted(self.omitted));
        }
        self.stored
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_list().into_iter()
    }
}

/// A collection of one fault, complete as it is. Further faults would only be counted.
impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults { stored: vec![fault], stored_max: 1, omitted: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(numbers: std::ops::Range<usize>) -> impl Iterator<Item = Fault> {
        numbers.map(|number| Fault::new(number.to_string(), "must be given"))
    }

    fn lines(faults: Faults) -> Vec<String> {
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn faults_beyond_the_limit_are_counted() {
        let mut faults = Faults::with_limit(2);
        assert_eq!((faults.count(), faults.is_empty()), (0, true));
        assert_eq!(faults.clone().none_or(1), Ok(1));
        faults.extend(numbered(0..3));
        let mut other = Faults::with_limit(1);
        other.extend(numbered(3..5));
        faults.append(other);
        faults.add_omitted(10);
        assert_eq!((faults.count(), faults.is_empty()), (15, false));
        assert!(faults.clone().none_or(1).is_err());
        let expected = ["0: must be given", "1: must be given", "and more: 13 further faults are not listed"];
        assert_eq!(lines(faults), expected);
    }

    #[test]
    fn fault_beyond_the_limit_is_not_built() {
        let mut faults = Faults::with_limit(2);
        let mut built = 0;
        for _ in 0..5 {
            faults.push_with(|| {
                built += 1;
                Fault::new("a", "must be given")
            });
        }
        assert_eq!((built, faults.count()), (2, 5));
    }

    #[test]
    fn unlimited_collection_keeps_every_fault() {
        let mut faults = Faults::unlimited();
        faults.extend(numbered(0..5_000));
        faults.append(Fault::new("last", "must be given").into());
        let faults = lines(faults);
        assert_eq!((faults.len(), faults[5_000].as_str()), (5_001, "last: must be given"));
    }

    #[test]
    fn received_values_can_be_removed() {
        let faults = Faults::from(Fault::new("token", "must be a hash").received("secret"));
        assert_eq!(lines(faults.without_received()), ["token: must be a hash"]);
    }
}
