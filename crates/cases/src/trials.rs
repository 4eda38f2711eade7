//! With what the case-based player is held to the conformance suite of players: two games of an expert, and every way of
//! deciding.

use std::path::Path;

use crate::build::build;
use crate::names::PlayerName;

const GAMES: &str = "[Event \"Karlsbad\"]\n[Date \"1911.08.21\"]\n[White \"Vidmar,M\"]\n[Black \"Teichmann,R\"]\n\n\
    1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 dxc4 9. Bxc4 Nd5 *\n\n\
    [Event \"Berlin\"]\n[Date \"1918.04.20\"]\n[White \"Schlechter,C\"]\n[Black \"Vidmar,M\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5 Be6 *\n";

const WAYS: [&str; 5] = [
    "seed=1",
    "k=8,penalty=0.5,mirror=on,cycles=avoid",
    "metric=like-pieces,shift=on,captures=3,learn=game",
    "filter=root,k=10,filter-depth=3",
    "filter=tree,k=10,filter-depth=2",
];

/// Specifications of case-based players whose file is written into the folder; none if it cannot be.
pub fn trials(folder: &Path) -> Vec<String> {
    let path = folder.join("trial.cases");
    let files = [("games".to_owned(), GAMES.as_bytes().to_vec())];
    let built = PlayerName::new("Vidmar").map(|expert| build(&files, &expert));
    let Some(Ok((base, _))) = built else {
        return Vec::new();
    };
    match std::fs::write(&path, base.to_bytes()) {
        Ok(()) => WAYS
            .iter()
            .map(|way| format!("cbr:cases={},{way}", path.display()))
            .collect(),
        Err(_) => Vec::new(),
    }
}
