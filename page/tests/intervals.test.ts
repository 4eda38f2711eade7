/** Elo with its interval, as text and as what error bars are drawn between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { elo, eloRange } from '../src/runs/format';

test('an interval has two ends, a bound, or nothing', () => {
  assert.equal(elo({ elo: 214.8, low: 51.5, high: 646.9 }), '+214.8 (+51.5 to +646.9)');
  assert.equal(elo({ elo: -3, low: -20, high: 14 }), '−3.0 (−20.0 to +14.0)');
  assert.equal(elo({ elo: 420, low: 120, high: null }), '+420.0 (> +120.0)');
  assert.equal(elo({ elo: null, low: 183, high: null }), '> +183.0');
  assert.equal(elo({ elo: null, low: null, high: -183 }), '< −183.0');
  assert.equal(elo({ elo: 0, low: null, high: null }), '0.0 (no bound)');
  assert.equal(elo({ elo: null, low: null, high: null }), '–');
});

test('error bars reach from end to end', () => {
  const intervals = [{ elo: null, low: 183, high: null }, { elo: -30, low: -50, high: -10 }];
  // A line without an end has room to go on in.
  assert.deepEqual(eloRange(intervals).map(Math.round), [-50, 261]);
  assert.deepEqual(eloRange([{ elo: null, low: 270, high: null }]), [0, 360]);
  assert.deepEqual(eloRange([{ elo: null, low: null, high: -270 }]), [-360, 0]);
  assert.deepEqual(eloRange([{ elo: 40, low: 20, high: 60 }]), [0, 60]);
  assert.deepEqual(eloRange([{ elo: 40, low: 20, high: 60 }], false), [20, 60]);
  assert.deepEqual(eloRange([]), [0, 0]);
});
