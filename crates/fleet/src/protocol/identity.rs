//! A run's key and a task's identity.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use vidmar_arena::GameTask;

/// Bytes of either.
const BYTES: usize = 16;

/// A random number that a run is begun with: it goes into every identity, so that nothing of another run fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunKey([u8; BYTES]);

/// Which task: a digest of all that it says, of its run, and of how often it has been begun before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId([u8; BYTES]);

impl RunKey {
    /// A new one.
    pub fn random() -> RunKey {
        let mut bytes = [0; BYTES];
        // Without randomness of the system two runs of one name could be mixed up: the name, the process and the time are
        // the next best.
        if getrandom::fill(&mut bytes).is_err() {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let text = format!("{} {:?}", std::process::id(), now);
            bytes.copy_from_slice(&Sha256::digest(text)[..BYTES]);
        }
        RunKey(bytes)
    }
}

impl TaskId {
    /// The identity of a task.
    pub fn of(run: &RunKey, task: &GameTask, attempt: u32) -> TaskId {
        let mut hash = Sha256::new();
        hash.update(run.0);
        hash.update(attempt.to_le_bytes());
        hash.update(super::write_json(task));
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(&hash.finalize()[..BYTES]);
        TaskId(bytes)
    }

    /// A number between 0 and 1 that depends on nothing but the identity and a secret.
    pub(crate) fn share(&self, secret: &RunKey) -> f64 {
        let digest = Sha256::new()
            .chain_update(secret.0)
            .chain_update(self.0)
            .finalize();
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&digest[..4]);
        f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)
    }
}

/// Hexadecimal in texts, as it is in bytes.
macro_rules! identity {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.collect_str(self)
                } else {
                    self.0.serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                if !deserializer.is_human_readable() {
                    return <[u8; BYTES]>::deserialize(deserializer).map($name);
                }
                let text = String::deserialize(deserializer)?;
                from_hex(&text)
                    .map($name)
                    .ok_or_else(|| D::Error::custom("expected 32 hexadecimal digits"))
            }
        }
    };
}
identity!(RunKey);
identity!(TaskId);

fn from_hex(text: &str) -> Option<[u8; BYTES]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * BYTES {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let digit = |byte: u8| (byte as char).to_digit(16);
        *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
    }
    Some(bytes)
}
