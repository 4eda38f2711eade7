//! Attacks of rooks and bishops: one table read per piece.
//!
//! The squares that can stop a slider on its way (its *mask*, without the edges) are gathered into
//! an index by the PEXT instruction, or, where the processor lacks it or runs it in slow microcode
//! (AMD before Zen 3), by a multiplication with a "magic" number. Both tables are computed by the
//! compiler; the way is chosen once at run time, and at compile time where the target has BMI2.
//!
//! The unsafe parts are the instruction itself and the reads without a bounds test. Their safe twin is
//! [`slow_attacks`], which walks over the board; the tests hold both ways equal to it on every
//! subset of every mask.

use crate::attacks::ray;
use crate::bitboard::Bitboard;
use crate::square::Square;

pub(crate) const ROOK_DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub(crate) const BISHOP_DIRECTIONS: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// Sizes of the tables: over all squares, the sum of 2 to the number of squares in the mask.
const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

/// The squares a rook attacks on a board with these squares occupied.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    if pext::usable() {
        pext::look_up(&ROOK_LINES[square.index()], &ROOK_BY_PEXT, occupied)
    } else {
        magic_look_up(
            &ROOK_LINES[square.index()],
            ROOK_MAGICS[square.index()],
            &ROOK_BY_MAGIC,
            occupied,
        )
    }
}

/// The squares a bishop attacks on a board with these squares occupied.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    if pext::usable() {
        pext::look_up(&BISHOP_LINES[square.index()], &BISHOP_BY_PEXT, occupied)
    } else {
        magic_look_up(
            &BISHOP_LINES[square.index()],
            BISHOP_MAGICS[square.index()],
            &BISHOP_BY_MAGIC,
            occupied,
        )
    }
}

/// Whether sliders are looked up with PEXT on this machine (else with magic numbers).
pub fn uses_pext() -> bool {
    pext::usable()
}

/// What one square needs: which occupied squares matter and where its part of the table begins.
struct Lines {
    mask: u64,
    start: usize,
}

static ROOK_LINES: [Lines; 64] = lines(&ROOK_DIRECTIONS);
static BISHOP_LINES: [Lines; 64] = lines(&BISHOP_DIRECTIONS);
static ROOK_BY_PEXT: [Bitboard; ROOK_SIZE] = table(&ROOK_LINES, &ROOK_DIRECTIONS, None);
static BISHOP_BY_PEXT: [Bitboard; BISHOP_SIZE] = table(&BISHOP_LINES, &BISHOP_DIRECTIONS, None);
static ROOK_BY_MAGIC: [Bitboard; ROOK_SIZE] = table(&ROOK_LINES, &ROOK_DIRECTIONS, Some(&ROOK_MAGICS));
static BISHOP_BY_MAGIC: [Bitboard; BISHOP_SIZE] =
    table(&BISHOP_LINES, &BISHOP_DIRECTIONS, Some(&BISHOP_MAGICS));

/// The processor's own way.
#[allow(unsafe_code)]
mod pext {
    use super::{Bitboard, Lines};

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    pub(super) const fn usable() -> bool {
        true
    }

    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    #[inline(always)]
    pub(super) fn usable() -> bool {
        use std::sync::atomic::{AtomicU8, Ordering};
        const UNKNOWN: u8 = 0;
        const YES: u8 = 1;
        const NO: u8 = 2;
        static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        fn ask_the_processor() -> bool {
            let usable = is_x86_feature_detected!("bmi2") && !slow_in_microcode();
            ANSWER.store(if usable { YES } else { NO }, Ordering::Relaxed);
            usable
        }

        match ANSWER.load(Ordering::Relaxed) {
            YES => true,
            NO => false,
            _ => ask_the_processor(),
        }
    }

    /// AMD's families 15h to 18h have the instruction, at the price of a loop over the mask's bits.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    fn slow_in_microcode() -> bool {
        use std::arch::x86_64::__cpuid;
        let vendor = __cpuid(0);
        let amd = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6E65, 0x444D_4163);
        let hygon = (vendor.ebx, vendor.edx, vendor.ecx) == (0x6F67_7948, 0x6E65_476E, 0x656E_6975);
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
        (amd || hygon) && family < 0x19
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    pub(super) const fn usable() -> bool {
        false
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn look_up(lines: &Lines, table: &'static [Bitboard], occupied: Bitboard) -> Bitboard {
        let index = lines.start + extract(occupied.0, lines.mask) as usize;
        debug_assert!(index < table.len());
        // SAFETY: PEXT yields less than 2^(bits of the mask), the size of the square's part.
        unsafe { *table.get_unchecked(index) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn look_up(_: &Lines, _: &'static [Bitboard], _: Bitboard) -> Bitboard {
        unreachable!("usable() is false here")
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: the whole program is compiled for a processor with BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    /// In assembler, because the intrinsic would not be inlined into code compiled for any x86-64.
    #[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        let extracted;
        // SAFETY: only reached after `usable()` found the instruction; it touches no memory or flags.
        unsafe {
            std::arch::asm!(
                "pext {extracted}, {word}, {mask}",
                extracted = lateout(reg) extracted,
                word = in(reg) word,
                mask = in(reg) mask,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        extracted
    }
}

#[inline(always)]
#[allow(unsafe_code)]
fn magic_look_up(lines: &Lines, magic: u64, table: &'static [Bitboard], occupied: Bitboard) -> Bitboard {
    let index = lines.start + magic_index(occupied.0, lines.mask, magic);
    debug_assert!(index < table.len());
    // SAFETY: the shift leaves as many bits as the mask has, the size of the square's part.
    unsafe { *table.get_unchecked(index) }
}

#[inline(always)]
const fn magic_index(occupied: u64, mask: u64, magic: u64) -> usize {
    ((occupied & mask).wrapping_mul(magic) >> (64 - mask.count_ones())) as usize
}

/// The attacks of a slider, found by walking.
pub(crate) const fn slow_attacks(from: Square, occupied: Bitboard, directions: &[(i32, i32); 4]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    let mut direction = 0;
    while direction < 4 {
        let mut at = from;
        while let Some(next) = at.offset(directions[direction].0, directions[direction].1) {
            attacks = attacks.with(next);
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
        direction += 1;
    }
    attacks
}

const fn lines(directions: &[(i32, i32); 4]) -> [Lines; 64] {
    let mut lines = [const { Lines { mask: 0, start: 0 } }; 64];
    let mut start = 0;
    let mut index = 0;
    while index < 64 {
        let mask = relevant_squares(Square::new(index as u32), directions);
        lines[index] = Lines { mask, start };
        start += 1 << mask.count_ones();
        index += 1;
    }
    lines
}

/// The squares whose occupation matters: every square of the lines but the last of each.
const fn relevant_squares(from: Square, directions: &[(i32, i32); 4]) -> u64 {
    let mut mask = 0;
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = directions[direction];
        let mut at = from;
        while let Some(next) = at.offset(files, ranks) {
            if next.offset(files, ranks).is_some() {
                mask |= Bitboard::of(next).0;
            }
            at = next;
        }
        direction += 1;
    }
    mask
}

/// The attacks for every subset of every mask. Subsets are counted up by `(subset - mask) & mask`,
/// which is the order of their PEXT indices.
const fn table<const SIZE: usize>(
    lines: &[Lines; 64],
    directions: &[(i32, i32); 4],
    magics: Option<&[u64; 64]>,
) -> [Bitboard; SIZE] {
    let mut table = [Bitboard::EMPTY; SIZE];
    let mut square = 0;
    while square < 64 {
        let Lines { mask, start } = lines[square];
        let rays = rays(Square::new(square as u32), directions);
        let mut subset = 0;
        let mut count = 0;
        loop {
            let index = match magics {
                Some(magics) => magic_index(subset, mask, magics[square]),
                None => count,
            };
            table[start + index] = Bitboard(attacks_on_rays(&rays, subset));
            subset = subset.wrapping_sub(mask) & mask;
            count += 1;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// The four rays from a square: the first two towards higher squares, the others towards lower ones.
const fn rays(from: Square, directions: &[(i32, i32); 4]) -> [u64; 4] {
    let mut rays = [0; 4];
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = directions[direction];
        rays[direction] = ray(from, files, ranks).0;
        direction += 1;
    }
    rays
}

/// Each ray up to its first occupied square: a dozen steps where walking takes a hundred, which
/// matters to the compiler's interpreter.
const fn attacks_on_rays(rays: &[u64; 4], occupied: u64) -> u64 {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        let ray = rays[direction];
        let stops = ray & occupied;
        attacks |= if stops == 0 {
            ray
        } else if direction < 2 {
            ray & (stops ^ (stops - 1))
        } else {
            ray & !((1 << stops.ilog2()) - 1)
        };
        direction += 1;
    }
    attacks
}

/// Multipliers that send no two subsets with different attacks to the same index, found by trying
/// sparse random words.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x1080004008801020, 0x0840092002C03000, 0x1900200010400900, 0x0880100008000480,
    0x4200100420080200, 0x8100020100080400, 0x0200040110886200, 0x0200008040220411,
    0x0404800084400220, 0x0000401000402000, 0x0086001081220440, 0x0408800800100280,
    0x000A001201040820, 0x8848800200840080, 0x4001000100040200, 0x0442000102105084,
    0x9080010020804100, 0x0040404000201009, 0x0000808010002009, 0x2200090021D00100,
    0x0008008008040080, 0x0004004002010040, 0x0011040008015042, 0x00000A0001768104,
    0x0000800080204009, 0x2010004140002001, 0x9800200280100080, 0x1000100080080080,
    0x0442000A00049020, 0x2100040080020080, 0x0800120400900148, 0x0010040A00128541,
    0x2800804000800030, 0x1010002000400041, 0x4000200011004100, 0x0610008410800800,
    0x0400802402800800, 0xC100020080800400, 0x0002000802000401, 0x0182085882000401,
    0x0220204000808000, 0x2860100040024022, 0x0001002004110040, 0x99101042000A0020,
    0x0004080004008080, 0x0010040002008080, 0x2012004881020004, 0x8300842444820011,
    0x0088403882010200, 0x0820400080210100, 0x0110910040A00300, 0x0801100280080480,
    0x0242009008200600, 0x1002000489500200, 0x0040800200010080, 0x0091800041000080,
    0x0000209300488001, 0x04C1002414824001, 0x020020000B001041, 0x7000100004200901,
    0x8002002004100802, 0x30010002084C0007, 0x0888221800813004, 0x4000002840840112,
];
#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0xA010041108003100, 0x006082020A002900, 0x6810010619200000, 0x08281A0520000408,
    0x0001104001000400, 0x0018901008048400, 0x00040A0210245280, 0x000200210808A402,
    0x9140048410821200, 0x0800091010820041, 0x20504804832202C0, 0x0100091401081000,
    0x8021011140000012, 0x0810020804450400, 0x208B0542109008A2, 0x0080084A08040204,
    0x0040E2A80811244C, 0x2505022008008108, 0x0430220100420040, 0x010A040420220040,
    0x1105000290400000, 0x0093001200822120, 0x4000A62048043004, 0x280120048A015004,
    0x006090002A020814, 0x44042000240800D0, 0x01102800040A4400, 0x1004080080220040,
    0x0001001011004024, 0x0010044000805040, 0x0914041200820100, 0x0004821012821480,
    0x0024040500C05021, 0x0088611002080200, 0x0116080A00040020, 0x4000020080080080,
    0x2450450140840040, 0x0000880201484100, 0x0222020404020092, 0x8081110600002E00,
    0x2842101105000801, 0x1100809008001025, 0x00020202221C0400, 0x0422014022009020,
    0x0210046102100C00, 0xC004008082029102, 0x00AA461801101200, 0x0404080080201108,
    0x020542108C205002, 0x0410544804100100, 0x0040910841100000, 0x0400200042021100,
    0x00004204850400C0, 0x0200100410A42102, 0x1040020801210102, 0x0805040410420000,
    0x2884804130100200, 0x800C262201242000, 0x1058000194108800, 0x0014221054420204,
    0x0104000012A02200, 0x0200881003300100, 0x0140400202840100, 0x0402020801010201,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways, on every subset of every mask, with the squares outside the mask empty and full.
    fn check(
        lines: &[Lines; 64],
        directions: &[(i32, i32); 4],
        by_pext: &'static [Bitboard],
        by_magic: &'static [Bitboard],
        magics: &[u64; 64],
    ) {
        for square in Square::ALL {
            let Lines { mask, start } = lines[square.index()];
            let mut subset = 0;
            let mut count = 0;
            loop {
                let truth = slow_attacks(square, Bitboard(subset), directions);
                for occupied in [subset, subset | !mask] {
                    let occupied = Bitboard(occupied);
                    assert_eq!(by_pext[start + count], truth);
                    let magic =
                        magic_look_up(&lines[square.index()], magics[square.index()], by_magic, occupied);
                    assert_eq!(magic, truth);
                    if pext::usable() {
                        assert_eq!(pext::look_up(&lines[square.index()], by_pext, occupied), truth);
                    }
                }
                subset = subset.wrapping_sub(mask) & mask;
                count += 1;
                if subset == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn rooks_equal_their_slow_twin() {
        check(
            &ROOK_LINES,
            &ROOK_DIRECTIONS,
            &ROOK_BY_PEXT,
            &ROOK_BY_MAGIC,
            &ROOK_MAGICS,
        );
    }

    #[test]
    fn bishops_equal_their_slow_twin() {
        check(
            &BISHOP_LINES,
            &BISHOP_DIRECTIONS,
            &BISHOP_BY_PEXT,
            &BISHOP_BY_MAGIC,
            &BISHOP_MAGICS,
        );
    }
}
