/**
 * Something that the server gives, asked for again when what it depends on changes.
 *
 * What was there stays until the new is there, so nothing flickers while a run goes on. Questions never overlap: the
 * next one waits for the answer to the last, and for a pause, and only the newest is asked.
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
  let shown: string | undefined;
  let last = 0;

  $effect(() => {
    const wanted = path();
    version();
    if (wanted === undefined) return;
    const isNew = wanted !== shown;
    const wait = isNew ? 0 : Math.max(0, last + PAUSE_MS - Date.now());
    const abort = new AbortController();
    const timer = setTimeout(() => {
      last = Date.now();
      get<T>(wanted, { signal: abort.signal })
        .then((answer) => {
          value = answer;
          error = undefined;
          shown = wanted;
        })
        .catch((reason: unknown) => {
          if (!abort.signal.aborted) error = messageOf(reason);
        });
    }, wait);
    return () => {
      clearTimeout(timer);
      // An answer under way to the same question is good enough; only another question makes it useless.
      if (path() !== wanted) abort.abort();
    };
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
