/** What was wrong with the last attempt, and which field it is about. */
import { ApiError, messageOf } from '../api';

export class Refusal {
  text = $state<string | undefined>();
  /** The field of the request, such as `name` or `white.options.depth`; empty where it is about none. */
  field = $state('');

  readonly take = (error: unknown): void => {
    this.text = messageOf(error);
    this.field = error instanceof ApiError ? (error.field ?? '') : '';
  };

  clear(): void {
    this.text = undefined;
    this.field = '';
  }

  /** The text, if it is about this part of the form. */
  of(part: string): string | undefined {
    return this.part === part ? this.text : undefined;
  }

  get part(): string {
    return this.field.split('.')[0] ?? '';
  }
}
