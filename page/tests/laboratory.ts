/** A directory with tuning runs and a match, made by the binary under test. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { binary } from './server';

/** A run of a hundred games or so that takes seconds. */
const SMALL = [
  'population=5',
  'games=4',
  'generations=6',
  'depth=1',
  'hash=1',
  'openings.source=built-in',
  'pairs=2',
  'deeper=[0]',
  'max_moves=40',
];

export class Laboratory {
  readonly folder = mkdtempSync(join(tmpdir(), 'vidmar-runs-'));

  /** A tuning run from its beginning to its validation. Another method than the preset's may have no population. */
  tune(name: string, seed: number, settings: readonly string[] = []): void {
    const hasMethod = settings.some((setting) => setting.startsWith('method='));
    const small = SMALL.filter((setting) => !(hasMethod && setting.startsWith('population=')));
    const sets = [...small, ...settings].flatMap((setting) => ['--set', setting]);
    this.run(['tune', 'run', 'no-knowledge', '--quiet', '--seed', String(seed), '--out', join(this.folder, name), ...sets]);
  }

  /** A match of three players by chance. */
  contest(name: string): void {
    const players = ['Anna', 'Boris', 'Clara'].flatMap((player, seed) => ['-engine', `player=random:seed=${seed}`, `name=${player}`]);
    this.run(['match', ...players, '-rounds', '4', '-maxmoves', '40', '--store', join(this.folder, `${name}.db`)]);
  }

  /** A match of two, with a test. */
  duel(name: string): void {
    const players = ['Anna', 'Boris'].flatMap((player, place) => ['-engine', `player=engine:depth=${place + 1},hash=1`, `name=${player}`]);
    const test = ['-sprt', 'elo0=0', 'elo1=10'];
    this.run(['match', ...players, '-rounds', '15', '-maxmoves', '40', ...test, '--store', join(this.folder, `${name}.db`)]);
  }

  /** What a command answers as JSON. */
  ask(words: readonly string[]): unknown {
    return JSON.parse(this.run(words));
  }

  private run(words: readonly string[]): string {
    const done = spawnSync(binary, words, { encoding: 'utf8', cwd: this.folder });
    if (done.status !== 0) throw new Error(`${words.join(' ')}: ${done.stderr}`);
    return done.stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
