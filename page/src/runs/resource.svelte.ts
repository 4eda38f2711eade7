/**
 * Something that the server gives, asked for again when what it depends on changes.
 *
 * What was there stays until the new is there, so nothing flickers while a run goes on. The same is asked again after a
 * pause at the earliest, however often it changes, and a question whose answer nobody wants any more is taken back.
 */
import { get, messageOf } from '../api';

export interface Resource<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
}

/** Between two answers of the same resource. */
const PAUSE_MS = 1500;

/**
 * `path` is what to ask for, nothing for now if undefined; `version` is anything that changes when the answer may have
 * changed. A new path is asked for at once, a new version after a pause.
 */
export function resource<T>(path: () => string | undefined, version: () => unknown = () => 0): Resource<T> {
  let value = $state.raw<T | undefined>();
  let error = $state<string | undefined>();
  let latest: string | undefined;
  let shown: string | undefined;
  let last = 0;
  let asking: AbortController | undefined;

  async function ask(wanted: string): Promise<void> {
    last = Date.now();
    try {
      asking = new AbortController();
      const answer = await get<T>(wanted, { signal: asking.signal });
      // Somebody may want something else meanwhile.
      if (wanted !== latest) return;
      value = answer;
      error = undefined;
      shown = wanted;
    } catch (reason) {
      if (wanted === latest) error = messageOf(reason);
    }
  }

  function want(next: string | undefined): void {
    if (next !== latest) asking?.abort();
    latest = next;
  }

  $effect(() => () => want(undefined));

  $effect(() => {
    const wanted = path();
    version();
    want(wanted);
    if (wanted === undefined) return;
    const wait = wanted === shown ? Math.max(0, last + PAUSE_MS - Date.now()) : 0;
    const timer = setTimeout(() => void ask(wanted), wait);
    return () => clearTimeout(timer);
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
  };
}
