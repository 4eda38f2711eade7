/** Tuning runs and matches: watched, paused, gone on with, compared, taken away. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';

import type { Convergence, Run, RunList, Verification } from '../src/generated/api';
import { seriousFindings } from './axe';
import { launch, withPage, workOf } from './browser';
import { Laboratory } from './laboratory';
import { TestServer } from './server';

const LONG_MS = 300_000;
const LOST = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING/;

let laboratory: Laboratory;
let server: TestServer;
let browser: Browser;

before(async () => {
  laboratory = new Laboratory();
  laboratory.tune('first', 1);
  laboratory.tune('second', 2);
  laboratory.duel('duel');
  laboratory.contest('trio');
  server = await TestServer.start([laboratory.folder]);
  browser = await launch();
});

after(async () => {
  for (const run of (await list()).filter(({ state }) => state === 'running' || state === 'waiting')) await server.ask('POST', `/runs/${run.id}/stop`);
  await browser.close();
  await server.stop();
  laboratory.remove();
});

async function list(): Promise<Run[]> {
  return (await server.ask<RunList>('GET', '/runs')).runs;
}

/** The run of that name; one that was made a moment ago is listed when the server looks at its folder again. */
async function named(name: string): Promise<Run> {
  const end = Date.now() + LONG_MS;
  for (;;) {
    const found = (await list()).find((run) => run.name === name);
    if (found !== undefined) return found;
    assert(Date.now() < end, `there is no run ${name}`);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

async function waitForState(page: Page, state: string, timeout = LONG_MS): Promise<void> {
  await page.getByTestId('state').filter({ hasText: state }).waitFor({ timeout });
}

async function games(page: Page): Promise<number> {
  const text = (await page.getByTestId('games').textContent()) ?? '';
  return Number(text.split(' of ')[0]?.replaceAll(',', ''));
}

/** Waits until the page shows more games than that. */
async function waitForGames(page: Page, more: number): Promise<void> {
  const begun = Date.now();
  while ((await games(page)) <= more) {
    assert(Date.now() - begun < LONG_MS, `no more than ${more} games`);
    await page.waitForTimeout(200);
  }
}

async function begin(page: Page, name: string, scale: string): Promise<void> {
  await page.getByRole('button', { name: 'New tuning run' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Preset').selectOption('quick');
  await dialog.getByLabel('Seed').fill('5');
  await dialog.getByLabel('Scale').fill(scale);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

test('the list shows runs and matches, and finds one', async () => {
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    for (const name of ['first', 'second', 'duel', 'trio']) await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByLabel('Filter runs').fill('trio');
    await page.getByRole('link', { name: 'first', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'trio', exact: true }).click();
    await page.getByTestId('crosstable').waitFor();
  });
});

test('a live tuning run is watched from its beginning to its end', { timeout: 2 * LONG_MS }, async () => {
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    await begin(page, 'live', '0.02');
    await waitForState(page, 'running');
    await waitForGames(page, 0);
    const before = await games(page);
    await waitForGames(page, before);
    await page.getByTestId('no-result').filter({ hasText: /No result yet|Nothing is proven yet/ }).waitFor();
    await page.getByRole('tab', { name: 'Convergence' }).click();
    await page.locator('.uplot canvas').first().waitFor();
    await waitForState(page, 'finished', LONG_MS);
    assert.equal(await games(page), 160);
    await page.getByRole('tab', { name: 'Result' }).click();
    const validation = page.getByTestId('validation').locator('tbody tr');
    await validation.first().waitFor();
    assert((await validation.count()) >= 1);
    assert.match((await validation.first().textContent()) ?? '', /recommended/);
    assert.match((await page.getByTestId('statement').textContent()) ?? '', / proven (for the recommended vector against|in) /);
  });
});

test('a run is paused, the page reloaded, the server killed, and the run gone on with', { timeout: 2 * LONG_MS }, async () => {
  await withPage(browser, `${server.url}/#/runs`, { expected: LOST }, async (page) => {
    await begin(page, 'held', '2');
    await waitForState(page, 'running');
    await waitForGames(page, 0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await waitForState(page, 'paused');
    const paused = await games(page);
    await page.reload();
    await waitForState(page, 'paused');
    assert.equal(await games(page), paused);
    await page.getByRole('button', { name: 'Resume' }).click();
    await waitForState(page, 'running');
    await waitForGames(page, paused);

    // A second one at the same run is refused.
    const { id } = await named('held');
    await assert.rejects(server.ask('POST', `/runs/${id}/resume`), /already-running/);

    // The run does not need the server.
    const before = await games(page);
    await server.kill();
    await page.getByText('connection lost').waitFor();
    await page.waitForTimeout(2000);
    await server.restart();
    await page.getByText('connection lost').waitFor({ state: 'detached' });
    await waitForState(page, 'running');
    await waitForGames(page, before);
    await page.getByRole('button', { name: 'Stop' }).click();
    await waitForState(page, 'paused');
    assert.equal((await named('held')).state, 'paused');
  });
});

test('two pages of one run show the same', { timeout: LONG_MS }, async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}`, {}, async (page) => {
    const other = await page.context().newPage();
    await other.goto(`${server.url}/#/runs/${id}`);
    for (const one of [page, other]) await waitForState(one, 'finished');
    assert.equal(await games(page), await games(other));
  });
});

test('every tab of a tuning run, by keyboard', async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}`, {}, async (page) => {
    await page.getByTestId('changes').locator('tbody tr').first().waitFor();
    await page.getByRole('tab', { name: 'Result' }).focus();
    const expected: [string, string][] = [
      ['Convergence', '[data-testid=scores] canvas'],
      ['Parameters', '[data-testid=parameters] canvas'],
      ['Importance', '[data-testid=importance] tbody tr'],
      ['Population', '[data-testid=population] tbody tr'],
      ['History', '[data-testid=history] tbody tr'],
      ['Games', '[data-testid=games-table] tbody tr'],
      ['Faults', 'text=No player has misbehaved'],
      ['Downloads', '[data-testid=files] a'],
    ];
    for (const [name, content] of expected) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name, selected: true }).waitFor();
      await page.locator(content).first().waitFor();
    }
  });
});

test('parameters are filtered, shown in their units, and one of them large', async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=parameters`, {}, async (page) => {
    const items = page.getByTestId('parameters').locator('li');
    await items.first().waitFor();
    assert.equal(await items.count(), 16);
    await page.getByLabel('Filter parameters').fill('queen');
    await page.getByText(/of 16 parameters/).waitFor();
    const count = await items.count();
    assert(count > 0 && count < 16, `${count}`);
    await page.getByLabel('Units').selectOption('absolute');
    await items.first().getByRole('button').click();
    await page.getByRole('dialog').locator('canvas').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test('games are filtered and played through', async () => {
  const { id } = await named('first');
  const drawn = await server.ask<{ total: number }>('GET', `/runs/${id}/games?result=1%2F2-1%2F2`);
  await withPage(browser, `${server.url}/#/runs/${id}?tab=games`, {}, async (page) => {
    await page.getByTestId('games-table').locator('tbody tr').first().waitFor();
    await page.getByLabel('Result').selectOption('1/2-1/2');
    await page.getByTestId('total').filter({ hasText: `${drawn.total} games` }).waitFor();
    await page.getByLabel('Result').selectOption('');
    await page.getByRole('button', { name: 'Oldest' }).click();
    await page.getByRole('button', { name: 'Play through game 0' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('replay-result').waitFor();
    const replay = await server.ask<{ moves: { uci: string; san: string }[] }>('GET', `/runs/${id}/games/0`);
    await page.keyboard.press('ArrowRight');
    await dialog.locator('[aria-current=step]').filter({ hasText: replay.moves[0]?.san ?? '' }).waitFor();
    await page.keyboard.press('End');
    const to = replay.moves.at(-1)?.uci.slice(2, 4) ?? '';
    await dialog.locator(`[data-square="${to}"][aria-label*="last move"]`).waitFor();
    await dialog.getByTestId('replay-move').filter({ hasText: replay.moves.at(-1)?.san ?? '' }).waitFor();
    // The same place of the game, to be analysed.
    await dialog.getByRole('link', { name: 'Analyse' }).click();
    await page.locator(`[data-ply="${replay.moves.length}"][aria-current=step]`).waitFor();
    // What the players noted stands beside the moves, not once more as a text.
    assert.equal(await page.locator('.comment').filter({ hasText: /\/\d+ \d|book/ }).count(), 0);
    await page.goBack();
    await page.getByTestId('games-table').waitFor();
  });
});

test('the games of a match are filtered by the names of its players', async () => {
  const { id } = await named('duel');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=games`, {}, async (page) => {
    await page.getByTestId('total').filter({ hasText: '30 games' }).waitFor();
    await page.getByLabel('Player').selectOption('Boris');
    await page.getByTestId('total').filter({ hasText: '30 games' }).waitFor();
    // How it is played, as it was told.
    await page.getByText('How it is played').click();
    const settings = page.locator('details.settings');
    for (const [name, value] of [['openings', 'built-in'], ['Boris', 'engine: depth 2, hash 1'], ['maximum number of moves', '40']] as const) {
      await settings.locator('div', { has: page.getByText(name, { exact: true }) }).getByText(value, { exact: true }).waitFor();
    }
  });
});

test('the chosen tab is in sight on a phone', async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=downloads`, { viewport: { width: 390, height: 844 } }, async (page) => {
    const tab = page.getByRole('tab', { name: 'Downloads' });
    await page.getByTestId('files').waitFor();
    const box = await tab.boundingBox();
    assert(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  });
});

test('everything that can be downloaded is what it says', async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=downloads`, {}, async (page) => {
    await page.getByTestId('files').locator('a').first().waitFor();
    const wanted: [string, RegExp][] = [
      ['population as CSV', /^player,score,score_games,elo,error,low,high,games,points,/],
      ['games as CSV', /^number,round,white,black,result/],
      ['ratings as JSON', /^\[\{/],
      ['trajectories as SVG', /^<svg/],
      ['games as PGN', /\[White "#\d+"\]/],
      ['validation-games as PGN', /\[Result "/],
    ];
    for (const [name, content] of wanted) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()]);
      assert.match(readFileSync(await file.path(), 'utf8'), content, name);
      assert(file.suggestedFilename().startsWith(id), file.suggestedFilename());
    }
  });
});

test('a match has its Elo, its test, its pairs and its ends', async () => {
  const { id } = await named('duel');
  await withPage(browser, `${server.url}/#/runs/${id}`, {}, async (page) => {
    const rows = page.getByTestId('standings').locator('tbody tr');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 2);
    assert.match((await page.getByTestId('sprt').textContent()) ?? '', /LLR/);
    assert.equal(await page.getByTestId('pentanomial').locator('tr').count(), 5);
    assert((await page.getByTestId('terminations').locator('tr').count()) > 0);
  });
});

test('two runs are compared', async () => {
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    assert(await page.getByRole('button', { name: 'Compare' }).isDisabled());
    for (const name of ['first', 'second']) await page.getByRole('checkbox', { name: `Compare ${name}` }).check();
    await page.getByRole('button', { name: 'Compare 2' }).click();
    const rows = page.getByTestId('compared').locator('tbody tr');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByTestId('compare-plot').locator('canvas').waitFor();
    assert.equal(await page.getByTestId('compare-values').locator('thead th').count(), 3);
  });
});

test('a run opens on its result: Elo, its interval, the sentence of the command, values before and after', async () => {
  const { id } = await named('first');
  const told = laboratory.ask(['tune', 'status', join(laboratory.folder, 'first'), '--json']) as { verify: { recommended: boolean; elo: number | null }[] };
  const { parameters, start, vectors, statement } = await server.ask<Verification>('GET', `/runs/${id}/verification`);
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    const shown = told.verify.find((row) => row.recommended)?.elo ?? null;
    const inWords = shown === null ? /[<>] [+−]\d/ : new RegExp(`${shown < 0 ? '−' : '\\+'}?${Math.abs(shown).toFixed(1)}`);
    assert.match((await page.locator(`[data-run="${id}"]`).textContent()) ?? '', inWords, 'the list has the result');
    await page.getByRole('link', { name: 'first', exact: true }).click();
    const result = page.getByTestId('result');
    await result.waitFor();
    assert.match((await result.textContent()) ?? '', inWords);
    assert.equal(await page.getByTestId('statement').textContent(), statement);
    const first = page.getByTestId('changes').locator('tbody tr').first();
    const name = (await first.locator('th').textContent()) ?? '';
    const place = parameters.indexOf(name);
    const after = vectors.find((vector) => vector.recommended)?.values[place] ?? NaN;
    const [before, now] = [await first.locator('td').nth(0).textContent(), await first.locator('td').nth(1).textContent()];
    assert.deepEqual([Number(before), Number(now)], [start[place], Math.round(100 * after) / 100]);
  });
});

test('tags and notes are kept, and runs are found by them', async () => {
  const { id } = await named('second');
  await withPage(browser, `${server.url}/#/runs/${id}`, {}, async (page) => {
    await page.getByRole('button', { name: 'Add tags or a note' }).click();
    await page.getByLabel('Tags').fill('baseline, depth 1');
    await page.getByLabel('Notes').fill('the other seed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('notes').getByText('the other seed').waitFor();
    await page.goto(`${server.url}/#/runs`);
    await page.getByLabel('Filter runs').fill('baseline');
    await page.getByRole('link', { name: 'first', exact: true }).waitFor({ state: 'detached' });
    await page.locator(`[data-run="${id}"]`).getByText('depth 1').waitFor();
  });
});

test('a match is begun on the page, opens on its result, and is deleted after a question', { timeout: LONG_MS }, async () => {
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    await page.getByRole('button', { name: 'New match' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('begun');
    // What is suggested says something, and soon.
    assert.notEqual(await dialog.getByLabel('First player: who plays').inputValue(), await dialog.getByLabel('Second player: who plays').inputValue());
    for (const side of ['First', 'Second']) await dialog.getByLabel(`${side} player: who plays`).selectOption('random');
    await dialog.getByLabel('Limit', { exact: true }).selectOption('nodes');
    await dialog.getByLabel('Pairs of games').fill('3');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { level: 1, name: 'begun' }).waitFor();
    await waitForState(page, 'finished');
    assert.equal(await games(page), 6);
    assert.match((await page.getByTestId('statement').textContent()) ?? '', / proven for Random against Random 2: /);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'begun', exact: true }).count(), 0);
    assert(!existsSync(join(laboratory.folder, 'begun.db')), 'the file is gone');
  });
});

test('a published experiment is chosen with what it costs, begun, and its run appears', { timeout: LONG_MS }, async () => {
  await withPage(browser, `${server.url}/#/runs`, {}, async (page) => {
    await page.getByRole('button', { name: 'Reproduce an experiment' }).click();
    const dialog = page.getByRole('dialog');
    const about = dialog.getByTestId('experiment');
    await dialog.getByLabel('Experiment').selectOption('no-knowledge');
    await about.getByText(/Source: /).waitFor();
    await dialog.getByLabel('Seeds').fill('1');
    await about.getByText(/1 seed, 2 steps/).waitFor();
    await about.getByText(/of processor time here\. State: not begun/).waitFor();
    await dialog.getByLabel('Scale').fill('0.001');
    const known = new Set((await list()).map((run) => run.id));
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('no-knowledge has started').waitFor();
    const isNew = (run: Run): boolean => !known.has(run.id);
    while (!(await list()).some(isNew)) await page.waitForTimeout(100);
    assert(existsSync(join(laboratory.folder, 'reproduce')));
    for (const run of (await list()).filter((one) => isNew(one) && one.state === 'running')) await server.ask('POST', `/runs/${run.id}/stop`);
  });
});

test('a method without a population says why, and shows what it has', async () => {
  laboratory.tune('spsa', 3, ['method=spsa', 'generations=4']);
  const { id } = await named('spsa');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=convergence`, {}, async (page) => {
    await page.getByTestId('no-elo').waitFor();
    await page.locator('.uplot canvas').first().waitFor();
    // Nothing is said or drawn of a population that there is not.
    await page.getByRole('heading', { name: 'Distance from the start', exact: true }).waitFor();
    assert.equal(await page.getByText(/spread/i).count(), 0);
    for (const tab of ['Population', 'History']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByTestId('no-vectors').filter({ hasText: `keeps no ${tab.toLowerCase()}` }).waitFor();
    }
    await page.goto(`${server.url}/#/compare?ids=${id},${(await named('first')).id}`);
    // At first a line that both have.
    const plot = page.getByTestId('compare-plot');
    await plot.locator('canvas').waitFor();
    assert.equal(await plot.getByText('this method has no such line').count(), 0);
    await plot.getByLabel('What is compared').selectOption('best');
    await plot.getByText('spsa: this method has no such line').waitFor();
  });
});

/** Every screen and tab, with what is there when it is ready. */
async function screens(): Promise<[string, string][]> {
  const [first, second, duel] = [await named('first'), await named('second'), await named('duel')];
  const tab = (name: string): string => `#/runs/${first.id}?tab=${name}`;
  return [
    ['#/runs', '[data-run]'],
    [tab('convergence'), '.uplot canvas'],
    [tab('parameters'), '[data-testid=parameters] canvas'],
    [tab('importance'), '[data-testid=importance] tbody tr'],
    [tab('history'), '[data-testid=history] tbody tr'],
    [tab('games'), '[data-testid=games-table] tbody tr'],
    [tab('result'), '[data-testid=validation] tbody tr'],
    [tab('downloads'), '[data-testid=files] a'],
    [`#/runs/${duel.id}`, '[data-testid=crosstable]'],
    [`#/compare?ids=${first.id},${second.id}`, '[data-testid=compare-values] td'],
  ];
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious, ${colorScheme}`, { timeout: LONG_MS }, async () => {
    await withPage(browser, 'about:blank', { colorScheme, bypassCSP: true }, async (page) => {
      for (const [hash, ready] of await screens()) {
        await page.goto('about:blank');
        await page.goto(`${server.url}/${hash}`);
        await page.locator(ready).first().waitFor();
        assert.deepEqual(await seriousFindings(page), [], hash);
      }
    });
  });
}

test('what a row is about stays in sight while a table is scrolled on a phone', async () => {
  const { id } = await named('first');
  await withPage(browser, `${server.url}/#/runs/${id}?tab=history`, { viewport: { width: 360, height: 740 } }, async (page) => {
    const row = page.getByTestId('history').locator('tbody tr').first();
    await row.waitFor();
    const box = page.getByRole('region', { name: 'Table of vectors' });
    await box.evaluate((element) => { element.scrollLeft = 200; });
    const [head, frame] = [await row.locator('th').boundingBox(), await box.boundingBox()];
    assert(head !== null && frame !== null && Math.abs(head.x - frame.x) <= 2, `${head?.x} ${frame?.x}`);
  });
});

test('nothing but tables has to be scrolled sideways on a phone', { timeout: LONG_MS }, async () => {
  await withPage(browser, 'about:blank', { viewport: { width: 360, height: 740 } }, async (page) => {
    for (const [hash, ready] of await screens()) {
      await page.goto('about:blank');
      await page.goto(`${server.url}/${hash}`);
      await page.locator(ready).first().waitFor();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert(beyond <= 0, `${hash} is ${beyond} pixels too wide`);
    }
  });
});

/** A run of a hundred thousand generations, as it would come unthinned. */
function longest(points: number): Convergence {
  const generation = Array.from({ length: points }, (_, place) => place);
  const wave = (shift: number): number[] => generation.map((place) => Number((0.5 + shift + 0.1 * Math.sin(place / 500) + 0.02 * Math.sin(place * 1.7)).toFixed(4)));
  const none = generation.map(() => null);
  return {
    unit: 'points per game',
    generation,
    games: generation.map((place) => 10 * place),
    best: wave(0.2),
    upper: wave(0.1),
    median: wave(0),
    mean: wave(0),
    lower: wave(-0.1),
    worst: wave(-0.2),
    champion: wave(0.25),
    best_again: wave(0.15),
    best_again_games: none,
    elo: none,
    elo_low: none,
    elo_high: none,
    elo_zero: 'mean',
    spread: wave(-0.3),
    moved: wave(-0.4),
  };
}

test('a plot of a hundred thousand points is smooth', async (t) => {
  const { id } = await named('first');
  const body = JSON.stringify(longest(100_000));
  await withPage(browser, 'about:blank', {}, async (page) => {
    await page.route('**/convergence*', (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`${server.url}/#/runs/${id}?tab=convergence`);
    const plot = page.getByTestId('scores').locator('.plot');
    await plot.locator('canvas').waitFor();
    await plot.focus();
    // While it is zoomed and moved by keys: the processor time of the page itself to the next frame, and that frame's time on
    // the wall, which on a busy machine is mostly waiting and only told.
    const session = await page.context().newCDPSession(page);
    const works: number[] = [];
    const frames: number[] = [];
    for (const key of ['+', '-', '+', '+', 'ArrowRight', 'ArrowRight', 'ArrowLeft', '-', '+', 'ArrowRight', '-', '-', '-']) {
      const worked = await workOf(session);
      frames.push(
        await plot.evaluate(async (element, name) => {
          const begun = performance.now();
          element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - begun;
        }, key),
      );
      works.push(await worked());
    }
    const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
    t.diagnostic(`work: median ${middle(works).toFixed(1)} ms, longest ${Math.max(...works).toFixed(1)} ms; to the next frame: median ${middle(frames).toFixed(0)} ms`);
    assert(middle(works) > 0.2, `nothing was drawn: ${works.join(', ')} ms`);
    assert(middle(works) < 50, `${works.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  });
});
