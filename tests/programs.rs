//! A target for packages whose program the end-to-end tests start: cargo builds the program of a package before the tests
//! only if the package has an integration test. There is nothing to test here.

fn main() {}
