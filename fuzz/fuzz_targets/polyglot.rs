//! Any bytes as an opening book: an error or a book, never a panic; its moves are legal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_chess::Position;
use vidmar_formats::polyglot::Book;

fuzz_target!(|bytes: &[u8]| {
    let Ok(book) = Book::from_bytes(bytes) else {
        return;
    };
    assert_eq!(book.to_bytes(), bytes);
    let start = Position::default();
    for m in book.moves(&start) {
        assert!(start.is_legal(m.played));
    }
});
