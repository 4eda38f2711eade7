/** Moves and games in words, and what somebody types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { destinationsOf, piecesOf, rowsSeenBy, spokenPosition, spokenSan, START } from '../src/board/squares';
import { scoreText, whiteShare } from '../src/game/score';
import { bigNumber, clockText, movedWords, moveNumber, typedMove } from '../src/game/words';
import { pieceWords, unusualFirst } from '../src/why/pieces';

test('a FEN is read as pieces on squares', () => {
  const pieces = piecesOf(START);
  assert.equal(pieces.size, 32);
  assert.deepEqual(pieces.get('e1'), { color: 'white', role: 'king' });
  assert.deepEqual(pieces.get('d8'), { color: 'black', role: 'queen' });
  assert.equal(pieces.get('e4'), undefined);
  assert.deepEqual(piecesOf('8/8/8/3pP3/8/8/8/8 w - d6 0 1').get('e5'), { color: 'white', role: 'pawn' });
});

test('a board is seen from either side', () => {
  assert.deepEqual([rowsSeenBy('white')[0]?.[0], rowsSeenBy('white')[7]?.[7]], ['a8', 'h1']);
  assert.deepEqual([rowsSeenBy('black')[0]?.[0], rowsSeenBy('black')[7]?.[7]], ['h1', 'a8']);
});

test('promotions are one destination', () => {
  assert.deepEqual([...destinationsOf(['e7e8q', 'e7e8n', 'e7d8q', 'a2a3'])], [
    ['e7', ['e8', 'd8']],
    ['a2', ['a3']],
  ]);
});

test('moves are told', () => {
  assert.equal(spokenSan('Nf3'), 'knight f3');
  assert.equal(spokenSan('exd8=Q+'), 'e takes d8, promotes to queen, check');
  assert.equal(spokenSan('O-O-O#'), 'castles queenside, checkmate');
  assert.equal(spokenSan('b4'), 'b4');
  assert.equal(spokenSan('bxc3'), 'b takes c3');
  assert.equal(movedWords(START, 'g1f3', 'Nf3'), 'knight g1 to f3');
  assert.equal(movedWords('8/8/8/3pP3/8/8/8/8 w - d6 0 1', 'e5d6', 'exd6'), 'pawn e5 takes pawn on d6');
  assert.equal(movedWords('3r4/4P3/8/8/8/8/8/8 w - - 0 1', 'e7d8n', 'exd8=N'), 'pawn e7 takes rook on d8, becomes a knight');
  assert.equal(moveNumber('8/8/8/8/8/8/8/8 b - - 0 12'), '12…');
  assert.match(spokenPosition('4k3/8/8/8/8/8/8/4K3 b - - 0 1'), /White: king e1\. Black: king e8\. Black to move\./);
});

test('typed moves are understood, and nothing is guessed', () => {
  const legal = [
    { uci: 'g1f3', san: 'Nf3' },
    { uci: 'b2c3', san: 'bxc3' },
    { uci: 'c1b2', san: 'Bb2' },
    { uci: 'f1c4', san: 'Bc4+' },
    { uci: 'b3c4', san: 'bxc4' },
    { uci: 'e1g1', san: 'O-O' },
    { uci: 'e7e8n', san: 'e8=N' },
    { uci: 'e7e8q', san: 'e8=Q#' },
  ];
  const found = (text: string): string | undefined => typedMove(text, legal)?.uci;
  assert.equal(found('Nf3'), 'g1f3');
  assert.equal(found('nf3'), 'g1f3');
  assert.equal(found(' g1f3 '), 'g1f3');
  assert.equal(found('bc3'), 'b2c3');
  assert.equal(found('0-0'), 'e1g1');
  assert.equal(found('o-o'), 'e1g1');
  assert.equal(found('e8N'), 'e7e8n');
  assert.equal(found('e8=q'), 'e7e8q');
  assert.equal(found('Bc4'), 'f1c4');
  assert.equal(found('bc4'), 'b3c4', 'the pawn, as written');
  assert.equal(found('BC4'), undefined, 'the bishop or the pawn');
  assert.equal(found('Ke4'), undefined);
  assert.equal(found(''), undefined);
});

test('numbers are short', () => {
  assert.deepEqual([9_440, 61_000, 247_000, 3_750_000, -5].map(clockText), ['0:09.4', '1:01', '4:07', '1:02:30', '0:00.0']);
  assert.deepEqual([87, 9_999, 34_000, 1_234_567, 2_500_000_000].map(bigNumber), ['87', '9999', '34 k', '1.2 M', '2.5 G']);
  assert.deepEqual(
    [{ cp: 35 }, { cp: -120 }, { cp: 0 }, { cp: -0.4 }, { mate: 4 }, { mate: -2 }, undefined].map(scoreText),
    ['+0.35', '−1.20', '0.00', '0.00', '#4', '−#2', ''],
  );
  assert.deepEqual([whiteShare({ mate: 3 }), whiteShare({ mate: -3 }), whiteShare({ cp: 0 }), whiteShare(null)], [1, 0, 0.5, 0.5]);
  assert(whiteShare({ cp: 100 }) > 0.58 && whiteShare({ cp: 100 }) < 0.6);
});

test('pieces that are worth more or less than others of their kind come first', () => {
  const rows = unusualFirst([
    { piece: 'Q', square: 'd1', total: 950 },
    { piece: 'q', square: 'd8', total: -950 },
    { piece: 'B', square: 'g5', total: 420 },
    { piece: 'b', square: 'f8', total: -280 },
    { piece: 'P', square: 'a2', total: 10 },
    { piece: 'p', square: 'h7', total: -10 },
    { piece: 'p', square: 'e5', total: -100 },
  ]);
  assert.deepEqual(rows.map(({ square, extra }) => [square, extra]), [['g5', 70], ['f8', 70], ['d1', 0], ['d8', 0], ['e5', 0], ['a2', 0], ['h7', 0]]);
  assert.deepEqual(rows.slice(0, 2).map(pieceWords), ['white bishop g5', 'black bishop f8']);
});
