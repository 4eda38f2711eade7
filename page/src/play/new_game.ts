/** What the dialog for a new game asks for, kept in the browser for the next time, and as the server wants it. */
import type { Seat } from '../generated/api';
import { remembered } from '../ui/remembered.svelte';

export interface Wish {
  white: Seat;
  black: Seat;
  /** Minutes and seconds; none is a game without clocks. */
  clock?: { minutes: number; increment: number };
}

export const PERSON: Seat = { kind: 'person' };
/** Somebody whom most people can beat now and then. */
export const USUAL_ENGINE: Seat = { kind: 'engine', options: { elo: 1600, movetime: 1000 } };

const FIRST: Wish = { white: PERSON, black: USUAL_ENGINE };

export function isSeat(value: unknown): value is Seat {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

function isWish(value: unknown): value is Wish {
  return typeof value === 'object' && value !== null && 'white' in value && isSeat(value.white) && 'black' in value && isSeat(value.black);
}

export const lastWish = remembered('new-game', FIRST, isWish);

const FEN = /^\s*([pnbrqk1-8]{1,8}\/){7}[pnbrqk1-8]{1,8}(\s|$)/i;

/** A pasted position or game as the server takes it: a FEN is one line with eight rows, everything else is a PGN. */
export function startOf(text: string): { fen: string } | { pgn: string } | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return FEN.test(trimmed) ? { fen: trimmed } : { pgn: trimmed };
}

export function bodyOf(wish: Wish, start: string): object {
  const begin = startOf(start);
  const { clock } = wish;
  /** The only person is whoever looks at the page. */
  const isAlone = [wish.white, wish.black].filter(({ kind }) => kind === 'person').length === 1;
  const named = (seat: Seat): Seat => (isAlone && seat.kind === 'person' ? { name: 'You', ...seat } : seat);
  return {
    white: named(wish.white),
    black: named(wish.black),
    ...(begin === undefined ? {} : { start: begin }),
    ...(clock === undefined
      ? {}
      : { clock: { base_ms: Math.round(clock.minutes * 60_000), increment_ms: Math.round(clock.increment * 1000) } }),
  };
}
