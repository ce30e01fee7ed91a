//! One public key that may verify access tokens (RFC 7517 section 4, RFC 7518 section 6).

use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde_json::Value;

/// Bits of an RSA modulus: below is too weak (RFC 7518 section 3.3), above is only slow.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;
/// The longest key identifier, in bytes.
pub(crate) const KEY_ID_BYTES_MAX: usize = 128;
/// Bytes of a point on P-256, uncompressed, and of an Ed25519 key.
const P256_BYTES: usize = 65;
const ED25519_BYTES: usize = 32;

/// The algorithms that access tokens may be signed with. Symmetric ones are not among them, and never will be.
pub(crate) const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("ES256", Algorithm::ES256),
    ("RS256", Algorithm::RS256),
    ("PS256", Algorithm::PS256),
    ("EdDSA", Algorithm::EdDSA),
];

/// The algorithm of a name, compared exactly (RFC 8725 section 3.1).
pub(crate) fn algorithm(name: &str) -> Option<Algorithm> {
    ALGORITHMS.iter().find(|(known, _)| *known == name).map(|(_, algorithm)| *algorithm)
}

/// A key, good for exactly one algorithm.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) algorithm: Algorithm,
    pub(crate) material: DecodingKey,
}

/// The fields of a key that matter; a field of another type makes the key unusable.
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
    /// Reads a key and its identifier; none when it may not verify access tokens.
    pub(super) fn read(value: &Value) -> Option<(Option<String>, Key)> {
        let jwk: Jwk = serde::Deserialize::deserialize(value).ok()?;
        let meant = jwk.usage.as_deref().is_none_or(|usage| usage == "sig")
            && jwk.key_ops.as_ref().is_none_or(|operations| operations.iter().any(|name| name == "verify"));
        let named = jwk.kid.as_ref().is_none_or(|kid| (1..=KEY_ID_BYTES_MAX).contains(&kid.len()));
        // A private key that has been published is nobody's any more.
        if !meant || !named || jwk.d.is_some() {
            return None;
        }
        let algorithm = jwk.algorithm()?;
        let material = jwk.material(algorithm)?;
        Some((jwk.kid, Key { algorithm, material }))
    }
}

impl Jwk {
    /// The one algorithm of the key: what it says, if type and curve agree, else what type and curve say. RSA keys that
    /// say nothing are RS256, as they are everywhere.
    fn algorithm(&self) -> Option<Algorithm> {
        let fitting: &[Algorithm] = match (self.kty.as_str(), self.crv.as_deref()) {
            ("EC", Some("P-256")) => &[Algorithm::ES256],
            ("OKP", Some("Ed25519")) => &[Algorithm::EdDSA],
            ("RSA", None) => &[Algorithm::RS256, Algorithm::PS256],
            _ => return None,
        };
        match self.alg.as_deref() {
            None => fitting.first().copied(),
            Some(name) => algorithm(name).filter(|algorithm| fitting.contains(algorithm)),
        }
    }

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

/// Bits of a number, the largest byte first.
fn bits(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let first = number.get(zeros).map_or(8, |byte| byte.leading_zeros() as usize);
    ((number.len() - zeros) * 8).saturating_sub(first)
}
