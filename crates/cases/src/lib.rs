//! dev
pub mod adaptation;
pub mod board;
pub mod case_move;
pub mod likeness;
pub mod list;
pub mod scan;
pub mod similarity;
pub mod weights;
pub use board::{CaseBoard, Shift};
pub use case_move::CaseMove;
pub use list::{CaseList, Origin};
pub use scan::kernel_name;
