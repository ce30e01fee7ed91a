//! Who asks, through what, for what. None of it says what may be done: only the grant that is read together
//! with the data does.

use uuid::Uuid;

use crate::person::UserId;
use crate::scope::{Scope, Surface};

/// The grant a credential names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GrantReference {
    /// A personal access token, by its identifier.
    PersonalAccessToken(Uuid),
    /// A client that signed in through the identity provider, by its client id. A host that signs people in itself
    /// names its own session so, and its ledger knows what that may do.
    OauthClient(String),
}

/// An authenticated caller: whose data, under which grant. Not what the grant allows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Credential {
    user: UserId,
    grant: GrantReference,
    surface: Option<Surface>,
}

impl Credential {
    /// A credential of a user under a grant, not tied to a surface: a host's own, in-process use.
    pub fn new(user: UserId, grant: GrantReference) -> Credential {
        Credential { user, grant, surface: None }
    }

    /// The same credential used through a surface, which the grant must then allow. Whatever takes a credential from
    /// outside the process says so: tools for an assistant are [`Surface::Mcp`], everything else that people's own
    /// programs call is [`Surface::Rest`]. A person who kept a token from a surface has kept it from all of its kind.
    pub fn through(self, surface: Surface) -> Credential {
        Credential { surface: Some(surface), ..self }
    }

    /// Whose data may be read.
    pub fn user(&self) -> UserId {
        self.user
    }

    /// The grant it names.
    pub fn grant(&self) -> &GrantReference {
        &self.grant
    }

    /// The surface it is used through; none for in-process use, where the host itself is the caller.
    pub fn surface(&self) -> Option<Surface> {
        self.surface
    }
}

/// One operation asking the ledger: the credential and the scope the operation needs. Holding one proves
/// nothing; the ledger checks it against the grant.
#[derive(Clone, Debug)]
pub struct Access<'a> {
    credential: &'a Credential,
    scope: Option<Scope>,
}

impl<'a> Access<'a> {
    /// Built by `operations::Service` for the operation it is about to run, and by nobody else.
    pub fn for_operation(credential: &'a Credential, scope: Option<Scope>) -> Access<'a> {
        Access { credential, scope }
    }

    /// Who asks.
    pub fn credential(&self) -> &Credential {
        self.credential
    }

    /// The scope the grant must carry; none for an operation that any live credential may call.
    pub fn scope(&self) -> Option<Scope> {
        self.scope
    }
}
