//! The program `passbook-admin` on a real database, where a transcript (`admin/transcripts`) cannot show it: concurrency, other
//! servers, damaged files, and properties of many imports.

mod backup;
mod commands;
mod doctor;
mod transcripts;
