//! Files: made once, found again, never believed when damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use vidmar_tablebases::{Library, Made, OpenError, Tablebase, endings, file_of, make};

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .expect("readable")
        .map(|entry| {
            let path = entry.expect("readable").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(path).expect("readable"))
        })
        .collect()
}

/// Makes the endings of three pieces; returns how many were found and made.
fn make_three(folder: &Path) -> (usize, usize) {
    let (mut found, mut new) = (0, 0);
    let made = make(folder, 3, &AtomicBool::new(false), |_, made| match made {
        Made::Found => found += 1,
        Made::New(_) | Made::Again(..) => new += 1,
    });
    assert!(made.expect("writable").is_some());
    (found, new)
}

#[test]
fn a_second_run_finds_what_the_first_has_made() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(make_three(folder.path()), (0, 5));
    let first = contents(folder.path());
    assert_eq!(first.len(), 5);
    assert_eq!(make_three(folder.path()), (5, 0));
    assert_eq!(contents(folder.path()), first);
    let library = Library::open(folder.path()).expect("whole");
    assert_eq!((library.tablebases().count(), library.max_pieces()), (5, 3));
}

#[test]
fn a_run_that_was_stopped_is_continued_to_the_same_files() {
    let whole = tempfile::tempdir().expect("a folder");
    make_three(whole.path());
    let folder = tempfile::tempdir().expect("a folder");
    let stop = AtomicBool::new(false);
    let mut done = 0;
    let made = make(folder.path(), 3, &stop, |_, _| {
        done += 1;
        stop.store(done >= 2, Ordering::Relaxed);
    });
    assert!(made.expect("writable").is_none());
    assert_eq!(contents(folder.path()).len(), 2);
    // What a killed process leaves behind.
    fs::write(folder.path().join(".KBvK.vwdl.a1b2c3.part"), b"VIDMARWD").expect("writable");
    assert_eq!(make_three(folder.path()), (2, 3));
    assert_eq!(contents(folder.path()), contents(whole.path()));
}

#[test]
fn damage_is_noticed_and_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    make_three(folder.path());
    let whole = contents(folder.path());
    let path = file_of(folder.path(), endings(3).next().expect("an ending"));
    let mut bytes = fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, &bytes).expect("writable");
    let error = Library::open(folder.path()).expect_err("damaged").to_string();
    assert!(error.contains("KQvK.vwdl: checksum"), "{error}");
    assert_eq!(make_three(folder.path()), (4, 1));
    assert_eq!(contents(folder.path()), whole);
}

#[test]
fn a_base_under_another_name_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    make_three(folder.path());
    let of = |name: &str| folder.path().join(name);
    fs::copy(of("KRvK.vwdl"), of("KQvK.vwdl")).expect("writable");
    let error = Library::open(folder.path()).expect_err("misnamed");
    assert!(matches!(error, OpenError::Name { .. }), "{error}");
}

#[test]
fn folders_without_bases_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(Library::open(folder.path()), Err(OpenError::Empty(_))));
    let nowhere = folder.path().join("nowhere");
    assert!(matches!(Library::open(&nowhere), Err(OpenError::Read { .. })));
}

#[test]
fn every_flipped_bit_and_every_lost_byte_is_noticed() {
    let library = Library::built_in();
    let tablebase = library.tablebases().next().expect("one is built in");
    let bytes = tablebase.to_bytes();
    assert_eq!(bytes.len(), tablebase.file_len());
    assert_eq!(Tablebase::from_bytes(&bytes).as_ref(), Ok(tablebase));
    let mut damaged = bytes.clone();
    let indices = (0..80)
        .chain((80..bytes.len()).step_by(61))
        .chain(bytes.len() - 4..bytes.len());
    for index in indices {
        for bit in 0..8 {
            damaged[index] ^= 1 << bit;
            assert!(
                Tablebase::from_bytes(&damaged).is_err(),
                "bit {bit} of byte {index}"
            );
            damaged[index] ^= 1 << bit;
        }
    }
    for length in (0..100).chain(bytes.len() - 70..bytes.len()) {
        assert!(Tablebase::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Tablebase::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
}
