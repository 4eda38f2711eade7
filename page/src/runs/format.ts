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

/** Elo with half its 95 % interval. */
export function elo(value: number | null | undefined, error: number | null | undefined): string {
  if (value === null || value === undefined) return NONE;
  return error === null || error === undefined ? signed(value) : `${signed(value)} ± ${error.toFixed(1)}`;
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
  crashed: 'crashed',
  finished: 'finished',
  unreadable: 'unreadable',
};

export const PHASES: Record<RunPhase, string> = {
  tuning: 'tuning',
  validation: 'validation',
  done: 'done',
};
