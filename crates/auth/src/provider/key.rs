//! A public key that verifies access tokens (RFC 7517 section 4, RFC 7518 section 6).

use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde_json::Value;

/// Accepted sizes of an RSA modulus, in bits. Smaller keys are too weak (RFC 7518 section 3.3); larger keys are slow
/// without being needed.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;
/// Maximum length of a key identifier, in bytes.
pub(crate) const KEY_ID_BYTES_MAX: usize = 128;
/// Length of an uncompressed point on P-256, in bytes.
const P256_BYTES: usize = 65;
/// Length of an Ed25519 public key, in bytes.
const ED25519_BYTES: usize = 32;

/// Accepted signature algorithms. Symmetric algorithms must never be added: the verification key is public.
pub(crate) const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("ES256", Algorithm::ES256),
    ("RS256", Algorithm::RS256),
    ("PS256", Algorithm::PS256),
    ("EdDSA", Algorithm::EdDSA),
];

/// Returns the accepted algorithm with this name. Names are case-sensitive (RFC 8725 section 3.1).
pub(crate) fn parse_algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS.iter().find(|(known, _)| *known == name).map(|(_, algorithm)| *algorithm)
}

/// A public key and the one signature algorithm for which it is used.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) algorithm: Algorithm,
    pub(crate) material: DecodingKey,
}

/// The members of a JSON Web Key that Passbook reads. A member of another type makes the key unusable.
#[derive(serde::Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    #[serde(default)]
    x: String,
    #[serde(default)]
    y: String,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
    d: Option<Value>,
}

impl Key {
    /// Parses a JSON Web Key. Returns `None` if the key cannot verify access tokens.
    pub(super) fn parse(value: &Value) -> Option<Key> {
        let jwk: Jwk = serde::Deserialize::deserialize(value).ok()?;
        let for_signatures = jwk.usage.as_deref().is_none_or(|usage| usage == "sig")
            && jwk.key_ops.as_ref().is_none_or(|operations| operations.iter().any(|name| name == "verify"));
        let valid_id = jwk.kid.as_ref().is_none_or(|kid| (1..=KEY_ID_BYTES_MAX).contains(&kid.len()));
        // `d` is the private part: anybody can sign with a private key that was published.
        if !for_signatures || !valid_id || jwk.d.is_some() {
            return None;
        }
        let algorithm = jwk.algorithm()?;
        let material = jwk.material(algorithm)?;
        Some(Key { algorithm, material })
    }
}

impl Jwk {
    /// Returns the one signature algorithm of the key: the member `alg` if it fits the key type and curve. Without
    /// `alg`, key type and curve decide; RSA keys are then RS256, as is common practice.
    fn algorithm(&self) -> Option<Algorithm> {
        let possible: &[Algorithm] = match (self.kty.as_str(), self.crv.as_deref()) {
            ("EC", Some("P-256")) => &[Algorithm::ES256],
            ("OKP", Some("Ed25519")) => &[Algorithm::EdDSA],
            ("RSA", None) => &[Algorithm::RS256, Algorithm::PS256],
            _ => return None,
        };
        match self.alg.as_deref() {
            None => possible.first().copied(),
            Some(name) => parse_algorithm(name).filter(|algorithm| possible.contains(algorithm)),
        }
    }

    /// Decodes the public key and checks its size. Returns `None` if the key cannot be used.
    fn material(&self, algorithm: Algorithm) -> Option<DecodingKey> {
        let key = match algorithm {
            Algorithm::ES256 => DecodingKey::from_ec_components(&self.x, &self.y),
            Algorithm::EdDSA => DecodingKey::from_ed_components(&self.x),
            _ => DecodingKey::from_rsa_components(&self.n, &self.e),
        };
        key.ok().filter(|key| match key.kind() {
            DecodingKeyKind::SecretOrDer(bytes) if algorithm == Algorithm::ES256 => bytes.len() == P256_BYTES,
            DecodingKeyKind::SecretOrDer(bytes) => bytes.len() == ED25519_BYTES,
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                RSA_BITS.contains(&bits(n)) && bits(e) > 1 && e.last().is_some_and(|last| last % 2 == 1)
            }
        })
    }
}

/// Returns the length of a big-endian number in bits, without leading zeros.
fn bits(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let first = number.get(zeros).map_or(8, |byte| byte.leading_zeros() as usize);
    ((number.len() - zeros) * 8).saturating_sub(first)
}
