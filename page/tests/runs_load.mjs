/**
 * How quickly a server answers about its runs while two clients follow one: `node page/tests/runs_load.mjs URL NAME [SECONDS]`.
 *
 * Asks for everything that a page of the run NAME shows, in turn, as two tabs do (two requests at a time), and prints for
 * each endpoint how many answers came, how large they are, and the median, 99th percentile and longest time.
 */
import process from 'node:process';

const [url, name, seconds = '30'] = process.argv.slice(2);
const api = `${url.replace(/\/$/, '')}/api/v1`;
const { runs } = await (await fetch(`${api}/runs`)).json();
const run = runs.find((one) => one.name === name);
if (run === undefined) throw new Error(`there is no run ${name}`);

const paths = [
  '/runs',
  `/runs/${run.id}`,
  `/runs/${run.id}/convergence?points=2000`,
  `/runs/${run.id}/parameters?points=48`,
  `/runs/${run.id}/population`,
  `/runs/${run.id}/history?limit=100`,
  `/runs/${run.id}/games?limit=50`,
  `/runs/${run.id}/games?limit=50&result=1-0&opening=chance`,
  `/runs/${run.id}/games/17`,
  `/runs/${run.id}/verification`,
];

/** A client that only listens. */
async function follow(abort) {
  let events = 0;
  const response = await fetch(`${api}/runs/${run.id}/events`, { signal: abort });
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body) events += decoder.decode(piece).split('event: run').length - 1;
  } catch (error) {
    if (!abort.aborted) throw error;
  }
  return events;
}

const times = new Map(paths.map((path) => [path, []]));
const sizes = new Map();

async function ask(end, shift) {
  for (let turn = shift; performance.now() < end; turn += 1) {
    const path = paths[turn % paths.length];
    const begun = performance.now();
    const response = await fetch(api + path);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    times.get(path).push(performance.now() - begun);
    sizes.set(path, text.length);
  }
}

const abort = new AbortController();
const followers = [follow(abort.signal), follow(abort.signal)];
const end = performance.now() + 1000 * Number(seconds);
await Promise.all([ask(end, 0), ask(end, 5)]);
abort.abort();
const events = await Promise.all(followers);

const at = (list, share) => list[Math.min(list.length - 1, Math.floor(share * list.length))].toFixed(1);
const all = [...times.values()].flat().sort((a, b) => a - b);
console.log('answers  bytes     median  p99     longest (ms)');
for (const [path, list] of [...times, ['all together', all]]) {
  list.sort((a, b) => a - b);
  if (list.length === 0) continue;
  const row = [String(list.length).padEnd(8), String(sizes.get(path) ?? '').padEnd(9), at(list, 0.5).padEnd(7), at(list, 0.99).padEnd(7), at(list, 1).padEnd(8)];
  console.log(row.join(' '), path.replace(run.id, 'ID'));
}
console.log(`events of the two followers: ${events.join(', ')}`);
