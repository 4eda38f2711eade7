"""Walks through a book as python-chess reads it and prints what it finds, position by position.

A line is: the moves from the start position (UCI), a tab, the key, a tab, the entries MOVE:WEIGHT:LEARN, sorted.
Usage: polyglot_books.py BOOK POSITIONS
"""

import sys
from collections import deque

import chess
import chess.polyglot


def main():
    path, most = sys.argv[1], int(sys.argv[2])
    seen = set()
    queue = deque([chess.Board()])
    with chess.polyglot.open_reader(path) as book:
        while queue and len(seen) < most:
            board = queue.popleft()
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
                queue.append(child)


main()
