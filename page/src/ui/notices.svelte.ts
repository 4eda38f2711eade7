/**
 * Short messages: `say` is for ears only (a screen reader's live region), `notify` is shown for a while as well.
 */
export type Tone = 'plain' | 'bad';

interface Notice {
  id: number;
  text: string;
  tone: Tone;
}

const SHOWN_MS = 4000;
let next = 0;

export const notices = $state<{ list: Notice[]; spoken: string }>({ list: [], spoken: '' });

/** Reads something out. */
export function say(text: string): void {
  notices.spoken = text;
}

/** Shows and reads something out. */
export function notify(text: string, tone: Tone = 'plain'): void {
  next += 1;
  const id = next;
  notices.list = [...notices.list.filter((notice) => notice.text !== text), { id, text, tone }].slice(-3);
  setTimeout(() => {
    notices.list = notices.list.filter((notice) => notice.id !== id);
  }, SHOWN_MS);
}
