/** The server under test: the real binary, with a folder of its own for what it keeps. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const STARTED_MS = 60_000;

export const binary = process.env['VIDMAR_BINARY'] ?? '';

/** What requests show; a server that is started again has the same one, so that open pages go on. */
const TOKEN = `test-${crypto.randomUUID()}`;

/** The cookies of all servers under test, as their printed addresses would set them. */
export const cookies: { name: string; value: string; url: string }[] = [];

/** Servers that go on. One that a failed test has left must not keep the tests from ending, nor outlive them. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class TestServer {
  /** Where it is, without the token. */
  url = '';
  /** The address that it printed. */
  printed = '';
  private port = 0;
  private isFirst = false;
  private process: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'vidmar-page-'));

  private constructor(private readonly arguments_: readonly string[]) {}

  /** As somebody starts it who has nothing yet: in an empty folder, with the examples. */
  static async startFirst(): Promise<TestServer> {
    const server = new TestServer([]);
    server.isFirst = true;
    await server.begin();
    return server;
  }

  static async start(arguments_: readonly string[] = []): Promise<TestServer> {
    const server = new TestServer(arguments_);
    await server.begin();
    return server;
  }

  private async begin(): Promise<void> {
    const state = join(this.folder, 'state');
    const examples = this.isFirst ? [] : ['--no-examples'];
    const child = spawn(binary, ['web', '--no-open', ...examples, '--port', String(this.port), '--state', state, ...this.arguments_], {
      ...(this.isFirst ? { cwd: this.folder } : {}),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, VIDMAR_TOKEN: TOKEN },
    });
    this.process = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    const line = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server does not say its address')), STARTED_MS);
      createInterface({ input: child.stdout }).once('line', (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    child.unref();
    if (child.stdout instanceof Socket) child.stdout.unref();
    this.printed = line.trim();
    const address = new URL(this.printed);
    this.url = address.origin;
    this.port = Number(address.port);
    cookies.push({ name: `vidmar_${this.port}`, value: TOKEN, url: this.url });
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Again, at the same address, with what the last one kept. */
  async restart(): Promise<void> {
    await this.begin();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A request as a script would make it. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

const EXPERT = `[Event "Club"]
[Date "1918.??.??"]
[White "Expert"]
[Black "Nobody"]
[WhiteElo "2500"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *

[Event "Club"]
[Date "1921.??.??"]
[White "Somebody"]
[Black "Expert"]
[BlackElo "2500"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *
`;

/** A small case base; the folder is to be removed with `remove`. */
export function caseBase(): { file: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'vidmar-cases-'));
  const [pgn, file] = [join(folder, 'expert.pgn'), join(folder, 'expert.cases')];
  writeFileSync(pgn, EXPERT);
  const built = spawnSync(binary, ['cases', 'build', '--pgn', pgn, '--player', 'Expert', '-o', file], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`cases build: ${built.stderr}`);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
