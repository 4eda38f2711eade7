//! The net that comes with the program, if there is one.

use std::sync::{Arc, LazyLock};

use crate::network::Network;

/// The file, in this folder, of at most 2 MB: `Some(include_bytes!("default.net"))`. Whoever embeds one changes how the engine plays unless told
/// otherwise, and with it the signature of the bench.
pub(crate) const FILE: Option<&[u8]> = None;

/// The net that comes with the program, if there is one, read once.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
        let file = FILE?;
        let network = Network::from_bytes(file).expect("a file of the program, read in a test");
        Some(Arc::new(network))
    });
    NETWORK.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_net_and_not_too_large() {
        assert!(FILE.is_none_or(|file| file.len() <= 2_000_000));
        assert_eq!(embedded().is_some(), FILE.is_some());
    }
}
