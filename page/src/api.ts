/**
 * The one way to the server: JSON requests and server-sent events under `/api/v1`.
 *
 * A failed request throws an `ApiError` whose message can be shown as it is. A stream reconnects by itself, with growing
 * pauses, for as long as nobody closes it; the server sends the whole state first thing after each connection, so a
 * listener needs no memory of what it missed.
 */
const BASE = '/api/v1';

/** What the server said was wrong, or that it could not be reached (`code` is then `unreachable`). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The sentence to show for any caught value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface RequestOptions {
  signal?: AbortSignal;
}

export function get<T>(path: string, options?: RequestOptions): Promise<T> {
  return request<T>('GET', path, undefined, options);
}

export function post<T>(path: string, body: unknown = {}, options?: RequestOptions): Promise<T> {
  const json = { type: 'application/json', data: JSON.stringify(body) };
  return request<T>('POST', path, json, options);
}

/** Posts a text, such as a PGN, as it is. */
export function postText<T>(path: string, data: string, options?: RequestOptions): Promise<T> {
  return request<T>('POST', path, { type: 'text/plain; charset=utf-8', data }, options);
}

export function remove(path: string): Promise<void> {
  return request<undefined>('DELETE', path);
}

/** Reads a text, such as a PGN. */
export async function getText(path: string): Promise<string> {
  return (await answer('GET', path)).text();
}

/** The address of something to download. */
export function address(path: string): string {
  return `${BASE}${path}`;
}

interface Body {
  type: string;
  data: string;
}

async function request<T>(method: string, path: string, body?: Body, options?: RequestOptions): Promise<T> {
  const response = await answer(method, path, body, options);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function answer(method: string, path: string, body?: Body, options?: RequestOptions): Promise<Response> {
  const init: RequestInit = { method, headers: { accept: 'application/json' }, ...options };
  if (body !== undefined) {
    init.body = body.data;
    init.headers = { accept: 'application/json', 'content-type': body.type };
  }
  let response: Response;
  try {
    response = await fetch(BASE + path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'the server does not answer');
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; field?: string | null } };
    return new ApiError(response.status, error.code, error.message, error.field ?? undefined);
  } catch {
    return new ApiError(response.status, 'http', text || `the server answered ${response.status}`);
  }
}

export type Connection = 'connecting' | 'open' | 'lost';

export interface StreamOptions {
  /** Called with the state of the connection whenever it changes. */
  onConnection?: (state: Connection) => void;
  /**
   * Whether the stream stays open in a hidden tab. A browser has six connections to a server for all its tabs, so a
   * stream that can wait is closed while nobody looks.
   */
  background?: boolean;
}

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 4000;
const HIDDEN_MS = 20_000;

/**
 * Listens to a stream; `handlers` maps the names of events to what takes their parsed data. The answer closes it.
 */
export function listen<Events extends object>(
  path: string,
  handlers: { [Name in keyof Events]: (data: Events[Name]) => void },
  options: StreamOptions = {},
): () => void {
  let source: EventSource | undefined;
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const open = (): void => {
    options.onConnection?.('connecting');
    const stream = new EventSource(BASE + path);
    source = stream;
    stream.onopen = () => {
      pause = FIRST_PAUSE_MS;
      options.onConnection?.('open');
    };
    stream.onerror = () => {
      stream.close();
      if (source !== stream || closed) return;
      source = undefined;
      options.onConnection?.('lost');
      timer = setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    for (const name of Object.keys(handlers) as (keyof Events & string)[]) {
      stream.addEventListener(name, (message: MessageEvent<string>) => {
        handlers[name](JSON.parse(message.data) as Events[typeof name]);
      });
    }
  };

  const rest = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };

  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(rest, HIDDEN_MS);
    else if (source === undefined) open();
  };

  open();
  if (options.background !== true) document.addEventListener('visibilitychange', onVisibility);
  return () => {
    closed = true;
    document.removeEventListener('visibilitychange', onVisibility);
    rest();
  };
}
