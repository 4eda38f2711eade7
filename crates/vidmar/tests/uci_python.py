"""Drives the engine named on the command line through python-chess, which checks every answer.

python-chess raises an exception for an illegal move, for an info line that it cannot read and for a
second bestmove. Each function below is one thing that graphical interfaces do.
"""

import os
import sys
import time

import chess
import chess.engine


def processor_seconds(engine):
    """What the engine's process has used, where the system tells: on a busy machine the clock counts others' work, too."""
    try:
        with open(f"/proc/{engine.transport.get_pid()}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
    except FileNotFoundError:
        return time.monotonic()
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def whole_game(engine):
    """A game to its end, 0.1 s a move for one side and a clock for the other; no flag falls."""
    board = chess.Board()
    clock, increment, slowest = 3.0, 0.02, 0.0
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 60:
        before = processor_seconds(engine)
        if board.turn == chess.WHITE:
            result = engine.play(board, chess.engine.Limit(time=0.1), game="one")
            slowest = max(slowest, processor_seconds(engine) - before)
        else:
            limit = chess.engine.Limit(black_clock=clock, white_clock=60, black_inc=increment, white_inc=0)
            result = engine.play(board, limit, game="one")
            clock -= processor_seconds(engine) - before
            assert clock > 0, "the flag has fallen"
            clock += increment
        assert result.move in board.legal_moves, result.move
        board.push(result.move)
    assert board.fullmove_number > 5
    # The kernel counts in hundredths of a second.
    assert slowest < 0.15, f"0.1 s took {slowest:.3f} s"


def analysis_with_lines(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    infos = engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert infos[0]["score"].relative == chess.engine.Mate(1), infos[0]
    assert infos[0]["pv"][0] == chess.Move.from_uci("f3f7")
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True), scores
    for info in infos:
        line = board.copy()
        for move in info["pv"]:
            assert move in line.legal_moves
            line.push(move)


def win_draw_loss(engine):
    engine.configure({"UCI_ShowWDL": True})
    board = chess.Board("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=6))
    assert info["wdl"].relative.winning_chance() > 0.9, info
    engine.configure({"UCI_ShowWDL": False})


def endless_analysis_is_stopped(engine):
    with engine.analysis(chess.Board(), chess.engine.Limit()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break
        analysis.stop()
        best = analysis.wait()
    assert best.move in chess.Board().legal_moves


def pondering(engine):
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.05, black_inc=0.05)
    guessed = 0
    for _ in range(6):
        result = engine.play(board, limit, ponder=True, game="ponder")
        board.push(result.move)
        time.sleep(0.05)
        if result.ponder is not None:
            assert result.ponder in board.legal_moves
        # Now the expected move, now another: a hit and a miss.
        reply = result.ponder if guessed % 2 == 0 and result.ponder else next(iter(board.legal_moves))
        guessed += 1
        board.push(reply)
    engine.ping()


def chess960(engine):
    for number in (0, 273, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(12):
            result = engine.play(board, chess.engine.Limit(nodes=2000), game=number)
            board.push(result.move)
    # The king castles by taking its rook, with nothing else allowed.
    board = chess.Board("1k6/8/8/8/8/8/8/RK5R w HA - 0 1", chess960=True)
    for castling in ("b1h1", "b1a1"):
        move = board.parse_uci(castling)
        assert board.is_castling(move)
        result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[move])
        assert result.move == move, result


def limits(engine):
    board = chess.Board()
    assert engine.analyse(board, chess.engine.Limit(depth=5), game="d")["depth"] == 5
    info = engine.analyse(board, chess.engine.Limit(nodes=5000), game="n")
    assert info["nodes"] <= 5000, info
    mate = chess.Board("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2), info


def options(engine):
    for name in ("Hash", "Threads", "MultiPV", "UCI_Elo", "UCI_LimitStrength", "Move Overhead", "Clear Hash"):
        assert name in engine.options, name
    engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 20})
    engine.play(chess.Board(), chess.engine.Limit(time=0.05))
    engine.configure({"Threads": 1, "UCI_LimitStrength": True, "UCI_Elo": 1200})
    assert engine.play(chess.Board(), chess.engine.Limit(time=5)).move is not None
    engine.configure({"UCI_LimitStrength": False})


def game_over(engine):
    result = engine.play(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), chess.engine.Limit(depth=2))
    assert not result.move, result


def main():
    checks = [
        whole_game,
        analysis_with_lines,
        win_draw_loss,
        endless_analysis_is_stopped,
        pondering,
        chess960,
        limits,
        options,
        game_over,
    ]
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=30) as engine:
        for check in checks:
            check(engine)
            print(check.__name__, flush=True)
    print("all is well")


main()
