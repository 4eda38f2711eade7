//! The net that comes with the program.

use std::sync::{Arc, LazyLock};

use crate::network::Network;

/// The file, of at most 2 MB; `docs/net.md` says how it was made. Whoever changes it changes how the engine plays unless told otherwise, and with it
/// the signature of the bench.
const FILE: &[u8] = include_bytes!("default.net");

/// The net that comes with the program, read once.
pub fn embedded() -> Arc<Network> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
        let network = Network::from_bytes(FILE).expect("a file of the program, read in a test");
        Arc::new(network)
    });
    Arc::clone(&NETWORK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_net_and_not_too_large() {
        assert!(FILE.len() <= 2_000_000);
        assert!(embedded().hidden() >= 32);
    }
}
