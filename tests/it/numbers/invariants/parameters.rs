//! The parameters of the requests of one comparison.

use jiff::civil::Date;
use tests::http::query;
use tests::model::{Counting, Filter};
use uuid::Uuid;

/// Range, switches and filters of a total and of the list of the same transactions.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) include_pending: bool,
    pub(super) include_excluded: bool,
    pub(super) filter: Filter,
}

impl Parameters {
    /// The parameters that totals and the list of transactions share.
    fn shared(&self) -> Vec<(&'static str, String)> {
        let accounts = self.filter.accounts.as_ref();
        let accounts =
            accounts.map(|wanted| wanted.iter().map(Uuid::to_string).collect::<Vec<_>>().join(","));
        let parameters = [
            ("dateFrom", self.from.map(|day| day.to_string())),
            ("dateTo", self.to.map(|day| day.to_string())),
            ("categories", self.filter.categories.as_ref().map(|wanted| wanted.join(","))),
            ("accountIds", accounts),
            ("merchantQuery", self.filter.text.map(str::to_owned)),
        ];
        parameters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The query of a total.
    pub(super) fn query(&self) -> String {
        let mut parameters = self.shared();
        parameters.push(("includePending", self.include_pending.to_string()));
        parameters.push(("includeExcluded", self.include_excluded.to_string()));
        encoded(&parameters)
    }

    /// The query of the list of the same transactions, apart from excluded categories.
    pub(super) fn list_query(&self) -> String {
        let mut parameters = self.shared();
        parameters.push(("pageSize", "200".to_owned()));
        if !self.include_pending {
            parameters.push(("pending", "false".to_owned()));
        }
        encoded(&parameters)
    }

    pub(super) fn counting(&self) -> Counting {
        Counting {
            from: self.from,
            to: self.to,
            include_pending: self.include_pending,
            include_excluded: self.include_excluded,
            filter: self.filter.clone(),
        }
    }
}

fn encoded(parameters: &[(&'static str, String)]) -> String {
    let pairs: Vec<(&str, &str)> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
    query(&pairs)
}
