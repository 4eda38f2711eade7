/**
 * A game with its variations: a tree of moves. The first child of a node is the line's own move, the others are what might
 * have been played instead. Nodes are never changed in place but for their notes: a line that is tried beside the game never
 * replaces it.
 */
import type { PgnPly, WhiteScore } from '../generated/api';
import type { Mistake } from './mistakes';

export interface Move {
  uci: string;
  san: string;
  fen: string;
  check: boolean;
  comment?: string | null | undefined;
  nags?: readonly number[] | null | undefined;
  score?: WhiteScore | null | undefined;
  mistake?: Mistake | undefined;
}

export interface Node {
  /** Different from that of every other node of the page. */
  readonly id: number;
  readonly parent: Node | undefined;
  /** None at the root. */
  move: Move | undefined;
  children: Node[];
}

let next = 0;

export function node(parent: Node | undefined, move: Move | undefined): Node {
  next += 1;
  const made: Node = { id: next, parent, move, children: [] };
  parent?.children.push(made);
  return made;
}

/** Adds a line of moves with its variations below a node. */
export function addLine(from: Node, plies: readonly (Move & { variations?: readonly (readonly PgnPly[])[] })[]): void {
  let now = from;
  for (const { variations = [], ...move } of plies) {
    const before = now;
    now = node(before, move);
    for (const line of variations) addLine(before, line);
  }
}

/** From the first move to this one. */
export function pathTo(target: Node): Node[] {
  const path: Node[] = [];
  for (let now: Node | undefined = target; now?.parent !== undefined; now = now.parent) path.unshift(now);
  return path;
}

/** The moves that lead to a node and go on from it by the first move each time. */
export function lineThrough(target: Node): Node[] {
  const line = pathTo(target);
  for (let now = target.children[0]; now !== undefined; now = now.children[0]) line.push(now);
  return line;
}

/** Whether a node is of the game itself, not of a variation. */
export function isMain(target: Node): boolean {
  return target.parent === undefined || (target.parent.children[0] === target && isMain(target.parent));
}

/** Takes a node and all below it out of the tree. */
export function cutOff(target: Node): void {
  if (target.parent !== undefined) target.parent.children = target.parent.children.filter((child) => child !== target);
}

/** Makes the variation that a node is in one step more important: the first of its siblings where it leaves another line. */
export function promote(target: Node): void {
  for (let now: Node | undefined = target; now?.parent !== undefined; now = now.parent) {
    const { parent }: { parent: Node } = now as Node & { parent: Node };
    const place = parent.children.indexOf(now);
    if (place > 0) {
      parent.children = [now, ...parent.children.filter((child) => child !== now)];
      return;
    }
  }
}
