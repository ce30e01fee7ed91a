//! The hash of a certificate for channel binding: `tls-server-end-point` of RFC 5929 section 4.1.

use aws_lc_rs::digest::{Algorithm, SHA256, SHA384, SHA512, digest};

/// The DER tag of a sequence, and that of an object identifier.
const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;

/// Signature algorithms, as the DER content of their object identifiers, with the hash that channel binding uses for
/// them. MD5 and SHA-1 are replaced by SHA-256.
const ALGORITHMS: [(&[u8], &Algorithm); 8] = [
    // RSA with MD5, SHA-1, SHA-256, SHA-384, SHA-512 (RFC 8017): 1.2.840.113549.1.1.x
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04], &SHA256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05], &SHA256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b], &SHA256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c], &SHA384),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d], &SHA512),
    // ECDSA with SHA-256, SHA-384, SHA-512 (RFC 5758): 1.2.840.10045.4.3.x
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02], &SHA256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03], &SHA384),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04], &SHA512),
];

/// Returns the hash of a certificate in DER; `None` if its signature algorithm has no defined hash, as Ed25519.
pub(super) fn certificate_hash(certificate: &[u8]) -> Option<Vec<u8>> {
    let algorithm = signature_algorithm(certificate)?;
    let (_, hash) = ALGORITHMS.into_iter().find(|(identifier, _)| *identifier == algorithm)?;
    Some(digest(hash, certificate).as_ref().to_vec())
}

/// Returns the object identifier of the algorithm with which the certificate is signed (RFC 5280 section 4.1.1.2): the
/// first element of the second sequence in the outer sequence.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (content, _) = element(SEQUENCE, certificate)?;
    let (_to_be_signed, rest) = element(SEQUENCE, content)?;
    let (algorithm, _) = element(SEQUENCE, rest)?;
    Some(element(OBJECT_IDENTIFIER, algorithm)?.0)
}

/// Returns the content of the first DER element, which must have this tag, and the bytes after the element.
fn element(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match *first {
        short @ ..=0x7f => (usize::from(short), rest),
        // The length has this number of bytes; certificates need at most three.
        long @ 0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(long - 0x80))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    (*found == tag).then_some((content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate with a signed part of 200 bytes and an algorithm.
    fn certificate(algorithm: &[u8]) -> Vec<u8> {
        let signed = [&[SEQUENCE, 0x81, 200][..], &[0; 200]].concat();
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).expect("a short element");
        let identifier = [&[OBJECT_IDENTIFIER, length(algorithm)][..], algorithm].concat();
        let algorithm = [&[SEQUENCE, length(&identifier)][..], &identifier].concat();
        let content = [signed, algorithm, vec![0x03, 0x01, 0x00]].concat();
        [&[SEQUENCE, 0x81, length(&content)][..], &content].concat()
    }

    #[test]
    fn hash_has_the_length_of_the_signature_algorithm() {
        for (algorithm, bytes) in
            [(1, 32), (2, 32), (4, 64), (6, 48)].map(|(at, bytes)| (ALGORITHMS[at].0, bytes))
        {
            assert_eq!(certificate_hash(&certificate(algorithm)).map(|hash| hash.len()), Some(bytes));
        }
        // Ed25519, 1.3.101.112, has no hash.
        assert_eq!(certificate_hash(&certificate(&[0x2b, 0x65, 0x70])), None);
    }

    #[test]
    fn damaged_certificate_has_no_hash() {
        let whole = certificate(ALGORITHMS[2].0);
        for length in 0..whole.len() {
            assert_eq!(certificate_hash(&whole[..length]), None, "{length}");
        }
        assert_eq!(certificate_hash(&[SEQUENCE, 0x84, 0, 0, 0, 1, 0]), None);
    }
}
