/** Numbers, times and states as people read them. */
import { durationText } from '../game/words';
import type { RunPhase, RunState } from '../generated/api';

const NONE = '–';

/** A count with its thousands set apart. */
export function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 });
}

/** A number with so many digits after the point, fewer where they are zeros. */
export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return value.toLocaleString('en', { maximumFractionDigits: digits, useGrouping: false }).replace('-', '−');
}

/** A difference: always with its sign. */
export function signed(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? '−' : '+') + text;
}

/** A difference in Elo with its 95 % interval; what is infinite is null. */
export interface EloInterval {
  elo: number | null;
  low: number | null;
  high: number | null;
}

/** Elo and its interval; where it has no end, a bound. */
export function elo({ elo: value, low, high }: EloInterval): string {
  if (value === null && low === null && high === null) return NONE;
  const bound =
    low !== null && high !== null ? `${signed(low)} to ${signed(high)}` : low !== null ? `> ${signed(low)}` : high !== null ? `< ${signed(high)}` : 'no bound';
  return value === null ? bound : `${signed(value)} (${bound})`;
}

/** The values that error bars of these intervals are drawn between; beyond a bound there is room for a line that does not end. */
export function eloRange(intervals: readonly EloInterval[], zero = true): [number, number] {
  const ends = intervals.flatMap(({ elo: value, low, high }) => [value, low, high].flatMap((end) => (end === null ? [] : [end])));
  if (zero || ends.length === 0) ends.push(0);
  const [least, most] = [Math.max(Math.min(...ends), -1500), Math.min(Math.max(...ends), 1500)];
  const room = Math.max(most - least, 100) / 3;
  const isOpen = (end: 'low' | 'high', other: 'low' | 'high'): boolean => intervals.some((interval) => interval[end] === null && interval[other] !== null);
  return [isOpen('low', 'high') ? least - room : least, isOpen('high', 'low') ? most + room : most];
}

export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** Seconds, if they are known. */
export function duration(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined || !Number.isFinite(seconds) ? NONE : durationText(Math.max(0, seconds));
}

/** A moment, given in seconds since 1970. */
export function moment(seconds: number): string {
  if (seconds === 0) return NONE;
  return new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export const STATES: Record<RunState, string> = {
  running: 'running',
  paused: 'paused',
  waiting: 'waiting',
  failed: 'failed',
  crashed: 'crashed',
  finished: 'finished',
  unreadable: 'unreadable',
};

export const PHASES: Record<RunPhase, string> = {
  tuning: 'tuning',
  validation: 'validation',
  done: 'done',
};

/** `quick`, or `quick-2` and so on where that is taken. */
export function freeName(stem: string, taken: readonly string[]): string {
  if (!taken.includes(stem)) return stem;
  let number = 2;
  while (taken.includes(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}
