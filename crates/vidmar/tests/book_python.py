"""Counts the moves of games as a book should and compares with the book.

Usage: book_python.py GAMES.pgn BOOK.bin PLIES MIN_GAMES
"""

import sys
from collections import Counter

import chess.pgn
import chess.polyglot


def main():
    plies, least = int(sys.argv[3]), int(sys.argv[4])
    games, weights = Counter(), Counter()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as text:
        while (game := chess.pgn.read_game(text)) is not None:
            if game.errors:
                continue
            board = game.board()
            result = game.headers.get("Result", "*")
            for move in list(game.mainline_moves())[:plies]:
                worth = {"1-0": 2 * board.turn, "0-1": 2 * (not board.turn), "1/2-1/2": 1}.get(result, 0)
                place = (chess.polyglot.zobrist_hash(board), move.uci())
                games[place] += 1
                weights[place] += worth
                board.push(move)
    expected = {place: weights[place] for place in games if games[place] >= least and weights[place] > 0}
    castling = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
    with chess.polyglot.open_reader(sys.argv[2]) as book:
        found = {}
        for entry in book:
            move = entry.move.uci()
            place = (entry.key, move)
            # An entry alone cannot tell a king that castles from a rook or a queen that goes the same way.
            if place not in expected:
                place = (entry.key, castling.get(move, move))
            assert place not in found, place
            found[place] = entry.weight
    assert found == expected, set(found.items()) ^ set(expected.items())
    assert len(found) > 3, len(found)
    print("all is well")


main()
