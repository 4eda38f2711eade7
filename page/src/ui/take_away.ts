/** Taking something along: the clipboard, or a file. */
import { messageOf } from '../api';
import { notify } from './notices.svelte';

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch (error) {
    notify(`${what} could not be copied: ${messageOf(error)}`, 'bad');
  }
}

export function download(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
