//! The covariance of the ratings: the inverse of the observed information at the maximum.
//!
//! The information is that of everything that was fitted: the ratings and, where they were fitted too,
//! White's advantage and the draw parameter (so their uncertainty widens the intervals), with the
//! virtual draws of the prior in it like games.
//!
//! Only differences of ratings are observable. In a group without an anchor the information is singular
//! along the constant vector 1; adding k 1 1ᵀ / n (n players, any k > 0) makes it regular and its inverse
//! minus 1 1ᵀ / (k n) is the covariance of *rating minus mean rating of the group*, exactly. Anchored
//! players are known: their rows are left out and the covariance is that of *rating minus anchor*.
//! [`SquareMatrix::centre`] turns either into the covariance around the mean of a group.

use crate::likelihood::{Information, Likelihood};

/// A square matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SquareMatrix {
    size: usize,
    cells: Vec<f64>,
}

impl SquareMatrix {
    pub(crate) fn zeros(size: usize) -> Self {
        SquareMatrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds so many times the values to the beginning of a row.
    pub(crate) fn add_to_row(&mut self, row: usize, times: f64, values: &[f32]) {
        let cells = &mut self.cells[row * self.size..][..values.len()];
        for (cell, &value) in cells.iter_mut().zip(values) {
            *cell += times * f64::from(value);
        }
    }

    pub(crate) fn add_diagonal(&mut self, values: &[f64]) {
        for (row, value) in values.iter().enumerate() {
            self.add(row, row, *value);
        }
    }

    /// Has above the diagonal what is below it.
    pub(crate) fn mirror(&mut self) {
        for row in 0..self.size {
            for column in 0..row {
                self.cells[column * self.size + row] = self.at(row, column);
            }
        }
    }

    /// The product with a vector.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        for cell in &mut self.cells {
            *cell *= factor;
        }
    }

    /// The rows and columns of this order only, in this order.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let cells = order
            .iter()
            .flat_map(|&row| order.iter().map(move |&column| self.at(row, column)))
            .collect();
        SquareMatrix {
            size: order.len(),
            cells,
        }
    }

    /// Makes the block of these players the covariance of what each has above their mean.
    pub(crate) fn centre(&mut self, group: &[usize]) {
        let count = group.len() as f64;
        let means: Vec<f64> = group
            .iter()
            .map(|&row| group.iter().map(|&column| self.at(row, column)).sum::<f64>() / count)
            .collect();
        let mean = means.iter().sum::<f64>() / count;
        for (&row, row_mean) in group.iter().zip(&means) {
            for (&column, column_mean) in group.iter().zip(&means) {
                self.add(row, column, mean - row_mean - column_mean);
            }
        }
    }

    /// The lower factor L of L Lᵀ = self, in place, or `None` where the matrix is not positive definite.
    fn cholesky(mut self) -> Option<Self> {
        for row in 0..self.size {
            let (done, rest) = self.cells.split_at_mut(row * self.size);
            let current = &mut rest[..self.size];
            for column in 0..row {
                let other = &done[column * self.size..=column * self.size + column];
                current[column] =
                    (current[column] - dot(&current[..column], &other[..column])) / other[column];
            }
            let pivot = current[row] - dot(&current[..row], &current[..row]);
            if pivot <= 0.0 || !pivot.is_finite() {
                return None;
            }
            current[row] = pivot.sqrt();
            current[row + 1..].fill(0.0);
        }
        Some(self)
    }

    /// The inverse of a positive definite matrix.
    pub(crate) fn inverse(self) -> Option<Self> {
        self.inverse_and_log_determinant().map(|(inverse, _)| inverse)
    }

    /// The same, and the logarithm of its determinant.
    pub(crate) fn inverse_and_log_determinant(self) -> Option<(Self, f64)> {
        let size = self.size;
        let factor = self.cholesky()?;
        let log_determinant = 2.0 * (0..size).map(|row| factor.at(row, row).ln()).sum::<f64>();
        // Rows of `columns` are the columns of the inverse of the factor: contiguous for both products.
        let mut columns = SquareMatrix::zeros(size);
        for column in 0..size {
            let solved = &mut columns.cells[column * size..(column + 1) * size];
            solved[column] = 1.0 / factor.at(column, column);
            for row in column + 1..size {
                let known = dot(&factor.row(row)[column..row], &solved[column..row]);
                solved[row] = -known / factor.at(row, row);
            }
        }
        let mut inverse = SquareMatrix::zeros(size);
        for row in 0..size {
            for column in 0..=row {
                let cell = dot(&columns.row(row)[row..], &columns.row(column)[row..]);
                inverse.cells[row * size + column] = cell;
                inverse.cells[column * size + row] = cell;
            }
        }
        Some((inverse, log_determinant))
    }
}

/// A sum of products in eight strands: the order is fixed, and the compiler may use wide registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut strands = [0.0; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = a_blocks
        .remainder()
        .iter()
        .zip(b_blocks.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a_blocks.zip(b_blocks) {
        for (strand, (a, b)) in strands.iter_mut().zip(a.iter().zip(b)) {
            *strand += a * b;
        }
    }
    strands.iter().sum::<f64>() + tail
}

/// The covariance of all parameters (players, advantage, draw parameter) in natural units; rows of
/// parameters that are not free are 0. `floating` are the groups without an anchor.
pub(crate) fn covariance(
    likelihood: &Likelihood,
    information: &Information,
    free: &[bool],
    floating: &[&[usize]],
) -> Option<SquareMatrix> {
    let mut index = vec![usize::MAX; free.len()];
    let kept: Vec<usize> = (0..free.len()).filter(|&parameter| free[parameter]).collect();
    for (row, &parameter) in kept.iter().enumerate() {
        index[parameter] = row;
    }
    let mut matrix = information_matrix(likelihood, information, &index, kept.len());

    let trace: f64 = (0..kept.len()).map(|row| matrix.at(row, row)).sum();
    let fill = trace / kept.len().max(1) as f64;
    for group in floating {
        for &row in *group {
            for &column in *group {
                matrix.add(index[row], index[column], fill / group.len() as f64);
            }
        }
    }
    let mut inverse = matrix.inverse()?;
    for group in floating {
        for &row in *group {
            for &column in *group {
                inverse.add(index[row], index[column], -1.0 / (fill * group.len() as f64));
            }
        }
    }

    let mut all = SquareMatrix::zeros(free.len());
    for (row, &to_row) in kept.iter().enumerate() {
        for (column, &to_column) in kept.iter().enumerate() {
            all.add(to_row, to_column, inverse.at(row, column));
        }
    }
    Some(all)
}

fn information_matrix(
    likelihood: &Likelihood,
    information: &Information,
    index: &[usize],
    size: usize,
) -> SquareMatrix {
    let mut matrix = SquareMatrix::zeros(size);
    let advantage = index[likelihood.advantage_at()];
    let draw = index[likelihood.draw_at()];
    for (term, &(own, mixed)) in likelihood.terms.iter().zip(&information.weights) {
        // The derivative of x by these three is +1, -1, +1; the draw parameter enters beside x.
        let x_parts = [
            (index[term.white], 1.0),
            (index[term.black], -1.0),
            (advantage, 1.0),
        ];
        for (row, row_sign) in x_parts.iter().filter(|part| part.0 != usize::MAX) {
            for (column, column_sign) in x_parts.iter().filter(|part| part.0 != usize::MAX) {
                matrix.add(*row, *column, own * row_sign * column_sign);
            }
            if draw != usize::MAX {
                matrix.add(*row, draw, mixed * row_sign);
                matrix.add(draw, *row, mixed * row_sign);
            }
        }
        if draw != usize::MAX {
            matrix.add(draw, draw, own);
        }
    }
    if draw != usize::MAX {
        matrix.add(draw, draw, information.draw_curvature);
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_known_matrix() {
        let cells = vec![4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0];
        let matrix = SquareMatrix { size: 3, cells };
        let inverse = matrix.clone().inverse().unwrap();
        for row in 0..3 {
            for column in 0..3 {
                let cell: f64 = (0..3).map(|k| matrix.at(row, k) * inverse.at(k, column)).sum();
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_inverse_here() {
        assert!(
            SquareMatrix {
                size: 2,
                cells: vec![1.0, 2.0, 2.0, 1.0]
            }
            .inverse()
            .is_none()
        );
    }
}
