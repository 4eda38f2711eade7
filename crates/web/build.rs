//! The page is embedded if it has been built; the folder is there in any case, so that cargo can watch it.

fn main() {
    let dist = concat!(env!("CARGO_MANIFEST_DIR"), "/../../page/dist");
    // Where it cannot be made there is no page to embed either.
    let _ = std::fs::create_dir_all(dist);
    println!("cargo::rerun-if-changed={dist}");
}
