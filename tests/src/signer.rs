//! Keys that sign access tokens, and tokens that are wrong in any way a test wants.

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

/// The algorithms that a key can be made for.
pub const ALGORITHMS: [&str; 4] = ["ES256", "RS256", "PS256", "EdDSA"];

/// A private key, and the name and algorithm that it is published with.
#[derive(Debug)]
pub struct Signer {
    /// Its `kid`.
    pub id: String,
    /// Its `alg`.
    pub algorithm: &'static str,
    pair: Pair,
}

#[derive(Debug)]
enum Pair {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    /// Making one takes long, so all tests share it.
    Rsa(&'static RsaKeyPair),
}

impl Signer {
    /// A new key; those for RSA are one and the same.
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

    /// The public key as providers publish it.
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

    /// The header that its tokens usually have.
    pub fn header(&self) -> Value {
        json!({ "alg": self.algorithm, "kid": self.id, "typ": "JWT" })
    }

    /// A token with the usual header.
    pub fn sign(&self, claims: &Value) -> String {
        self.sign_text(&self.header().to_string(), &claims.to_string())
    }

    /// A token of any texts, whatever they are.
    pub fn sign_text(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", base64(header.as_bytes()), base64(claims.as_bytes()));
        let signature = self.signature(message.as_bytes());
        format!("{message}.{}", base64(&signature))
    }

    fn signature(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::P256(pair) => pair.sign(&random, message).expect("it signs").as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let padding = if self.algorithm == "PS256" { &RSA_PSS_SHA256 } else { &RSA_PKCS1_SHA256 };
                let mut signature = vec![0; pair.public_modulus_len()];
                let padding: &dyn aws_lc_rs::signature::RsaEncoding = padding;
                pair.sign(padding, &random, message, &mut signature).expect("it signs");
                signature
            }
        }
    }

    /// What somebody who confuses keys with passwords takes for the password: the public key as published and as DER.
    pub fn public_texts(&self) -> Vec<Vec<u8>> {
        let mut texts = vec![self.jwk().to_string().into_bytes()];
        if let Pair::Rsa(pair) = &self.pair {
            let der = pair.public_key().as_der().expect("it is a key");
            let lines = base64::engine::general_purpose::STANDARD.encode(der.as_ref());
            texts.push(
                format!("-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n").into_bytes(),
            );
            texts.push(der.as_ref().to_vec());
        }
        texts
    }
}

/// A token whose signature is an HMAC with SHA-256 under any secret (RFC 7518 section 3.2).
pub fn sign_with_secret(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message =
        format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, secret);
    let tag = aws_lc_rs::hmac::sign(&key, message.as_bytes());
    format!("{message}.{}", base64(tag.as_ref()))
}

/// Base64 for URLs, without padding.
pub fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
