//! Prints the exchange rates of a file of the European Central Bank, or its faults.

use std::io::Cursor;

use passbook_formats::ecb_rates;
use passbook_formats::record::Record;
use passbook_test_cases::Case;

use crate::fault_lines;

pub(crate) fn outcome(case: &Case) -> String {
    let results = ecb_rates::read(Cursor::new(case.text()));
    let lines = results.map(|result| match result {
        Ok(located) => match located.record {
            Record::RateBase(base) => format!("{}: base {base}\n", located.place),
            Record::ExchangeRate(rate) => {
                format!("{}: {} {} {}\n", located.place, rate.as_of, rate.currency, rate.units_per_base)
            }
            other => panic!("a file of rates has no such record: {other:?}"),
        },
        Err(faults) => fault_lines(faults),
    });
    lines.collect()
}
