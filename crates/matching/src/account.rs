//! The statements and lines of one account, as indexes of all statements and lines.

use super::line::{FileStatement, Line};
use super::period::Period;

/// One account.
#[derive(Clone, Copy)]
pub(crate) struct Account<'a> {
    pub(crate) statements: &'a [FileStatement],
    pub(crate) periods: &'a [Period],
    pub(crate) all: &'a [Line],
    /// The statements of the account.
    pub(crate) members: &'a [u32],
    /// The lines of the account.
    pub(crate) own: &'a [u32],
}

impl<'a> Account<'a> {
    pub(crate) fn statement(&self, index: u32) -> &'a FileStatement {
        &self.statements[index as usize]
    }

    pub(crate) fn period(&self, index: u32) -> &'a Period {
        &self.periods[index as usize]
    }

    pub(crate) fn line(&self, index: u32) -> &'a Line {
        &self.all[index as usize]
    }

    /// Returns the lines of the account with their indexes.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u32, &'a Line)> + use<'a> {
        let all = self.all;
        self.own.iter().map(|index| (*index, &all[*index as usize]))
    }

    /// Returns true if the balances of a statement agree with its lines.
    pub(crate) fn is_balanced(&self, index: u32) -> bool {
        let period = self.period(index);
        !period.is_mixed && period.difference(self.statement(index)) == Some(0)
    }
}
