/** A player's analysis of a position, which grows while it thinks. */
import { listen, messageOf, post, remove } from '../api';
import type { AnalysisRequest, AnalysisUpdate, Why } from '../generated/api';

/** A question about one position. */
export type Question = AnalysisRequest & { fen: string };

export class EngineAnalysis {
  why = $state.raw<Why | undefined>();
  /** The position that it is about. */
  fen = $state('');
  done = $state(true);
  problem = $state<string | undefined>();

  private serial = 0;
  private stopListening: (() => void) | undefined;
  private id: string | undefined;

  async ask(question: Question): Promise<void> {
    this.stop();
    const serial = this.serial;
    this.done = false;
    this.problem = undefined;
    try {
      const { id } = await post<{ id: string }>('/analyses', question);
      if (serial !== this.serial) {
        void remove(`/analyses/${id}`).catch(() => undefined);
        return;
      }
      this.id = id;
      this.stopListening = listen<{ analysis: AnalysisUpdate }>(`/analyses/${id}/events`, {
        analysis: (update) => {
          if (update.why) {
            this.why = update.why;
            this.fen = question.fen;
          }
          this.problem = update.error ?? undefined;
          this.done = update.done;
          if (update.done) this.hangUp();
        },
      });
    } catch (error) {
      if (serial !== this.serial) return;
      this.done = true;
      this.problem = messageOf(error);
    }
  }

  /** Stops the player too. */
  stop(): void {
    this.serial += 1;
    const id = this.id;
    this.hangUp();
    if (id !== undefined && !this.done) void remove(`/analyses/${id}`).catch(() => undefined);
    this.done = true;
    this.id = undefined;
  }

  private hangUp(): void {
    this.stopListening?.();
    this.stopListening = undefined;
  }
}

/** The last word of a player on a position; nothing if it is called off or fails. */
export function lastWord(question: Question, signal: AbortSignal): Promise<Why | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    post<{ id: string }>('/analyses', question)
      .then(({ id }) => {
        const finish = (why: Why | undefined): void => {
          stop();
          signal.removeEventListener('abort', abort);
          resolve(why);
        };
        const abort = (): void => {
          void remove(`/analyses/${id}`).catch(() => undefined);
          finish(undefined);
        };
        const stop = listen<{ analysis: AnalysisUpdate }>(
          `/analyses/${id}/events`,
          { analysis: (update) => { if (update.done) finish(update.why); } },
          { background: true },
        );
        signal.addEventListener('abort', abort);
      })
      .catch(() => resolve(undefined));
  });
}
