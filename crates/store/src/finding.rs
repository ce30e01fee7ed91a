//! The findings of the start-up check, each with its remedy.

/// A property of the database role or the schema because of which the server must not serve this database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Text that states the property.
    pub sentence: String,
    /// The action that fixes the problem.
    pub remedy: Remedy,
    /// The missing or changed object of the schema, such as `view passbook_read.people`. `None` for other findings.
    /// Unlike the sentence, contains no name that the operator chose.
    pub object: Option<String>,
}

impl Finding {
    /// Creates a finding that is about no single object of the schema.
    pub(crate) fn new(sentence: String, remedy: Remedy) -> Finding {
        Finding { sentence, remedy, object: None }
    }
}

/// The action that fixes a problem. A program may name its own command for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A statement, or an action in words.
    Statement(String),
    /// Applying the missing migrations.
    Migrate,
    /// Connecting as the role that only reads.
    ReaderRole,
    /// Running a version of the program that knows the schema version of the database.
    NewerProgram,
    /// Restoring the database from a backup.
    Restore,
    /// Backing up the database with the program that created it, and restoring the backup with this program.
    MoveToThisVersion,
}

impl std::fmt::Display for Remedy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Remedy::Statement(statement) => statement,
            Remedy::Migrate => "apply the migrations",
            Remedy::ReaderRole => {
                "connect as passbook_reader or a member of it (alter role passbook_reader login password '…')"
            }
            Remedy::NewerProgram => "run a program as new as the database",
            Remedy::Restore => "restore the database from a backup",
            Remedy::MoveToThisVersion => {
                "back up the database with the program that created it, and restore the backup with this program into a \
                 new database"
            }
        })
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.sentence, self.remedy)
    }
}
