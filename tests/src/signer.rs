//! Keys that sign access tokens, including invalid tokens for tests.

use std::sync::OnceLock;

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RSA_PSS_SHA256, RsaKeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// Names of the signature algorithms that the service supports.
pub const ALGORITHMS: [&str; 4] = ["ES256", "RS256", "PS256", "EdDSA"];

/// A private key with the key identifier and the algorithm under which its public key is published.
#[derive(Debug)]
pub struct Signer {
    /// Key identifier (`kid`) of the key.
    pub id: String,
    /// Signature algorithm (`alg`) of the key.
    pub algorithm: &'static str,
    pair: Pair,
}

#[derive(Debug)]
enum Pair {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    /// The RSA key of all tests, because generating an RSA key is slow.
    Rsa(&'static RsaKeyPair),
}

impl Signer {
    /// Generates a key. All RSA keys are the same key.
    pub fn new(id: &str, algorithm: &'static str) -> Signer {
        static RSA: OnceLock<RsaKeyPair> = OnceLock::new();
        let pair = match algorithm {
            "ES256" => {
                Pair::P256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("randomness"))
            }
            "EdDSA" => Pair::Ed25519(Ed25519KeyPair::generate().expect("randomness")),
            _ => Pair::Rsa(RSA.get_or_init(|| RsaKeyPair::generate(KeySize::Rsa2048).expect("randomness"))),
        };
        Signer { id: id.to_owned(), algorithm, pair }
    }

    /// Returns the public key as a JSON Web Key.
    pub fn jwk(&self) -> Value {
        let mut jwk = match &self.pair {
            Pair::P256(pair) => {
                let point = pair.public_key().as_ref();
                json!({ "kty": "EC", "crv": "P-256", "x": base64(&point[1..33]), "y": base64(&point[33..]) })
            }
            Pair::Ed25519(pair) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "x": base64(pair.public_key().as_ref()) })
            }
            Pair::Rsa(pair) => {
                let key = pair.public_key();
                json!({
                    "kty": "RSA",
                    "n": base64(key.modulus().big_endian_without_leading_zero()),
                    "e": base64(key.exponent().big_endian_without_leading_zero()),
                })
            }
        };
        jwk["kid"] = json!(self.id);
        jwk["alg"] = json!(self.algorithm);
        jwk["use"] = json!("sig");
        jwk["key_ops"] = json!(["verify"]);
        jwk
    }

    /// Returns the usual header of a token: algorithm, key identifier and type.
    pub fn header(&self) -> Value {
        json!({ "alg": self.algorithm, "kid": self.id, "typ": "JWT" })
    }

    /// Signs a token with the usual header.
    pub fn sign(&self, claims: &Value) -> String {
        self.sign_text(&self.header().to_string(), &claims.to_string())
    }

    /// Signs a token of arbitrary header and claims texts, which need not be JSON.
    pub fn sign_text(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", base64(header.as_bytes()), base64(claims.as_bytes()));
        let signature = self.signature(message.as_bytes());
        format!("{message}.{}", base64(&signature))
    }

    fn signature(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::P256(pair) => pair.sign(&random, message).expect("signing succeeds").as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let padding = if self.algorithm == "PS256" { &RSA_PSS_SHA256 } else { &RSA_PKCS1_SHA256 };
                let mut signature = vec![0; pair.public_modulus_len()];
                let padding: &dyn aws_lc_rs::signature::RsaEncoding = padding;
                pair.sign(padding, &random, message, &mut signature).expect("signing succeeds");
                signature
            }
        }
    }

    /// Returns the public key in every form that a faulty verifier could use as an HMAC secret: JWK, PEM and DER.
    pub fn public_texts(&self) -> Vec<Vec<u8>> {
        let mut texts = vec![self.jwk().to_string().into_bytes()];
        if let Pair::Rsa(pair) = &self.pair {
            let der = pair.public_key().as_der().expect("the public key can be encoded");
            let lines = base64::engine::general_purpose::STANDARD.encode(der.as_ref());
            texts.push(
                format!("-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n").into_bytes(),
            );
            texts.push(der.as_ref().to_vec());
        }
        texts
    }
}

/// Returns a token that is signed by HMAC with SHA-256 under `secret` (RFC 7518 section 3.2).
pub fn sign_with_secret(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message =
        format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, secret);
    let tag = aws_lc_rs::hmac::sign(&key, message.as_bytes());
    format!("{message}.{}", base64(tag.as_ref()))
}

/// Encodes bytes in the base64url alphabet without padding.
pub fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
