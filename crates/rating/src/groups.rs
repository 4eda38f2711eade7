//! Which players can be compared at all.
//!
//! The likelihood has a finite maximum only where, however the players are split in two, someone of
//! each part took at least a half point from someone of the other (Ford 1957; assumption 1 of Hunter
//! 2004). In the graph with an edge from the taker of points to the giver that says: strongly
//! connected. So the strongly connected components are the groups that can be rated, each by itself;
//! between two of them the games, if there are any, only say "infinitely stronger". Virtual draws give
//! both sides points, so with a prior the groups are just the sets of players connected by games.
//! Anchored players have known differences and so belong to one group.

use crate::likelihood::Term;

/// The groups, stronger ones first where games say so; players in rising number within each.
pub(crate) fn comparable_groups(players: usize, terms: &[Term], anchored: &[usize]) -> Vec<Vec<usize>> {
    let takers_to_givers = edges(terms, anchored);
    let givers_to_takers: Vec<_> = takers_to_givers
        .iter()
        .map(|&(taker, giver)| (giver, taker))
        .collect();
    let forward = Adjacency::new(players, &takers_to_givers);
    let backward = Adjacency::new(players, &givers_to_takers);

    // Kosaraju: components found on the reversed graph, in falling order of finishing time on the graph
    // itself, come out in topological order, takers before givers.
    let mut seen = vec![false; players];
    let mut finished = Vec::with_capacity(players);
    for start in 0..players {
        forward.depth_first(start, &mut seen, &mut finished);
    }
    seen.fill(false);
    let mut groups = Vec::new();
    for &start in finished.iter().rev() {
        let mut group = Vec::new();
        backward.depth_first(start, &mut seen, &mut group);
        if !group.is_empty() {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// Whether the games can tell White's advantage from strength. They cannot where a shift of the ratings
/// makes up for any advantage: where each player can be given a height such that White always stands
/// exactly one step above Black, as when everyone had one colour only. Anchored players cannot be
/// shifted against each other.
pub(crate) fn advantage_shows(players: usize, terms: &[Term], anchored: &[usize]) -> bool {
    let mut steps: Vec<(usize, usize, i64)> = terms.iter().map(|term| (term.white, term.black, -1)).collect();
    steps.extend(anchored.windows(2).map(|pair| (pair[0], pair[1], 0)));
    let mut neighbours = vec![Vec::new(); players];
    for (a, b, rise) in steps {
        neighbours[a].push((b, rise));
        neighbours[b].push((a, -rise));
    }
    let mut heights: Vec<Option<i64>> = vec![None; players];
    for start in 0..players {
        if heights[start].is_some() {
            continue;
        }
        heights[start] = Some(0);
        let mut open = vec![(start, 0)];
        while let Some((player, height)) = open.pop() {
            for &(neighbour, rise) in &neighbours[player] {
                match heights[neighbour] {
                    None => {
                        heights[neighbour] = Some(height + rise);
                        open.push((neighbour, height + rise));
                    }
                    Some(known) if known != height + rise => return true,
                    Some(_) => {}
                }
            }
        }
    }
    false
}

fn edges(terms: &[Term], anchored: &[usize]) -> Vec<(usize, usize)> {
    let mut edges = Vec::with_capacity(2 * terms.len() + 2 * anchored.len());
    for term in terms {
        if term.white_took > 0.0 {
            edges.push((term.white, term.black));
        }
        if term.black_took > 0.0 {
            edges.push((term.black, term.white));
        }
    }
    for pair in anchored.windows(2) {
        edges.push((pair[0], pair[1]));
        edges.push((pair[1], pair[0]));
    }
    edges
}

/// Neighbours of every node, one after the other in one list.
struct Adjacency {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Adjacency {
    fn new(nodes: usize, edges: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; nodes + 1];
        for &(from, _) in edges {
            starts[from + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; edges.len()];
        for &(from, to) in edges {
            neighbours[next[from]] = to;
            next[from] += 1;
        }
        Adjacency { starts, neighbours }
    }

    /// Adds what can be reached from `start` and was not seen yet to `finished`, each node after all
    /// that it leads to. An own stack: a chain of a million players must not overflow the thread's.
    fn depth_first(&self, start: usize, seen: &mut [bool], finished: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[start], true) {
            return;
        }
        let mut stack = vec![(start, self.starts[start])];
        while let Some((node, next)) = stack.pop() {
            if next == self.starts[node + 1] {
                finished.push(node);
                continue;
            }
            stack.push((node, next + 1));
            let neighbour = self.neighbours[next];
            if !std::mem::replace(&mut seen[neighbour], true) {
                stack.push((neighbour, self.starts[neighbour]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(white: usize, black: usize, white_took: f64, black_took: f64) -> Term {
        Term {
            white,
            black,
            white_took,
            black_took,
        }
    }

    #[test]
    fn the_one_who_won_everything_stands_alone_and_first() {
        let terms = [took(0, 1, 1.0, 1.0), took(2, 0, 1.0, 0.0), took(1, 2, 0.0, 3.0)];
        assert_eq!(comparable_groups(3, &terms, &[]), [vec![2], vec![0, 1]]);
    }

    #[test]
    fn anchors_join_what_games_do_not() {
        let terms = [took(0, 1, 1.0, 1.0), took(2, 3, 1.0, 1.0)];
        assert_eq!(comparable_groups(4, &terms, &[]).len(), 2);
        assert_eq!(comparable_groups(4, &terms, &[1, 2]).len(), 1);
    }

    #[test]
    fn one_colour_each_hides_the_advantage() {
        let one_way = [took(0, 1, 2.0, 3.0), took(1, 2, 1.0, 1.0)];
        assert!(!advantage_shows(3, &one_way, &[]));
        assert!(advantage_shows(3, &one_way, &[0, 2]));
        assert!(advantage_shows(
            2,
            &[took(0, 1, 2.0, 3.0), took(1, 0, 1.0, 1.0)],
            &[]
        ));
        assert!(advantage_shows(
            3,
            &[took(0, 1, 1.0, 1.0), took(1, 2, 1.0, 1.0), took(2, 0, 1.0, 1.0)],
            &[]
        ));
    }

    #[test]
    fn a_cycle_of_wins_is_one_group() {
        let terms = [took(0, 1, 1.0, 0.0), took(1, 2, 1.0, 0.0), took(2, 0, 1.0, 0.0)];
        assert_eq!(comparable_groups(3, &terms, &[]), [vec![0, 1, 2]]);
    }
}
