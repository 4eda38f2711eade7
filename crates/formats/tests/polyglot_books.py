"""Walks through a book as python-chess reads it and prints what it finds, position by position.

A line is: the moves from the start position (UCI), a tab, the key, a tab, the entries MOVE:WEIGHT:LEARN, sorted. Positions are
taken at random among those reached, so that long lines are walked as well as wide ones.
The walk begins in every position of a first line of moves.
Usage: polyglot_books.py BOOK POSITIONS MOVES
"""

import random
import sys

import chess
import chess.polyglot


def main():
    path, most, line = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    seen = set()
    reached = [chess.Board()]
    for word in line.split():
        reached.append(reached[-1].copy())
        reached[-1].push_uci(word)
    dice = random.Random(1)
    with chess.polyglot.open_reader(path) as book:
        while reached and len(seen) < most:
            place = dice.randrange(len(reached))
            reached[place], reached[-1] = reached[-1], reached[place]
            board = reached.pop()
            key = chess.polyglot.zobrist_hash(board)
            if key in seen:
                continue
            seen.add(key)
            found = list(book.find_all(board, minimum_weight=0))
            words = sorted(f"{entry.move.uci()}:{entry.weight}:{entry.learn}" for entry in found)
            print(" ".join(move.uci() for move in board.move_stack), f"{key:016x}", " ".join(words), sep="\t")
            for entry in found:
                child = board.copy()
                child.push(entry.move)
                reached.append(child)


main()
