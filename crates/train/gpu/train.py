#!/usr/bin/env python3
"""Trains a net on a graphics card from the positions that `vidmar net samples` writes.

What is learnt, the shape of the net, its first weights, the steps and the file are those of `vidmar net train` (docs/net.md); the order of the
positions and the rounding of the arithmetic are not, so that the nets are as good but not the same. Needs PyTorch; without a graphics card
it runs on the processor, slowly.

    vidmar net samples data --nearby 1 --out data.samples
    python3 train.py data.samples --hidden 512 --king-buckets 1 --buckets 8 --distil 1 --epochs 40 --lambda 0.9 --out large.net

The same command goes on after a kill from the end of the last epoch. Each epoch is a line of JSON.
"""

import argparse
import json
import math
import os
import struct
import time
import zlib

import numpy as np
import torch

MAGIC, VERSION, SAMPLE = b"VidmarSA", 1, 32
HEADER = 16 + 24
NET_MAGIC, NET_VERSION = b"VidmarNN", 1
FEATURES, PIECES, SCALE, QA, QB = 768, 32, 400, 255, 64
# Inputs of the dense rows: one that stands for no piece, and a width that matrix units like.
NOTHING, PADDING = 0, 8
MOST = 1.98


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("samples", help="a file of `vidmar net samples`", nargs="+")
    parser.add_argument("--out", required=True, metavar="NAME.net")
    parser.add_argument("--from", dest="first", metavar="NET", help="begin from this net; with more --hidden the others begin with no say")
    parser.add_argument("--hidden", type=int, default=256, metavar="N", help="hidden neurons of a side, a multiple of 32")
    parser.add_argument("--buckets", type=int, default=8, metavar="N", help="sets of output weights")
    parser.add_argument("--king-buckets", type=int, default=1, choices=[1, 2, 4, 8], help="sets of input weights by the own king")
    parser.add_argument("--distil", type=int, default=1, metavar="N", help="epochs of the positions nearby before the others")
    parser.add_argument("--nearby", type=float, default=0, metavar="0..1", help="the share of positions nearby in every batch of the epochs after these")
    parser.add_argument("--epochs", type=int, default=20, metavar="N")
    parser.add_argument("--batch", type=int, default=16384, metavar="N")
    parser.add_argument("--lambda", type=float, default=0.9, dest="share", metavar="0..1", help="the share of the score; the rest is the result")
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after the epoch that ends later than this; the same command goes on")
    return parser.parse_args()


def read(path):
    """The three parts of a file, as arrays of 32 bytes a position."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != MAGIC:
        raise SystemExit(f"{path}: not a file of `vidmar net samples`")
    version, size = struct.unpack_from("<II", data, 8)
    if (version, size) != (VERSION, SAMPLE):
        raise SystemExit(f"{path}: version {version} with {size} bytes a position, expected {VERSION} with {SAMPLE}")
    counts = struct.unpack_from("<QQQ", data, 16)
    if len(data) != HEADER + SAMPLE * sum(counts) + 4:
        raise SystemExit(f"{path}: {len(data)} bytes, expected {HEADER + SAMPLE * sum(counts) + 4}")
    if zlib.crc32(memoryview(data)[:-4]) != struct.unpack_from("<I", data, len(data) - 4)[0]:
        raise SystemExit(f"{path}: damaged: its sum is not that of its bytes")
    samples = np.frombuffer(data, np.uint8, SAMPLE * sum(counts), HEADER).reshape(-1, SAMPLE)
    ends = np.cumsum(counts)
    return [samples[: ends[0]], samples[ends[0] : ends[1]], samples[ends[1] :]]


def regions(buckets):
    """The region of each square seen by the king's own side, in a mirror where it stands on the right (vidmar_net::Kings)."""
    found = []
    for square in range(64):
        rank, file = square // 8, square % 8
        file = file if file < 4 else 7 - file
        central = int(file & 2 != 0)
        if buckets == 1:
            region = 0
        elif buckets == 2:
            region = int(rank > 0)
        elif buckets == 4:
            region = central if rank == 0 else 2 if rank == 1 else 3
        else:
            region = file if rank == 0 else 4 + central if rank == 1 else 6 if rank == 2 else 7
        found.append(region)
    return found


def unpack(samples, king_buckets, device):
    """Inputs of both views (int16, -1 where there is no piece), buckets of pieces, scores, and results of positions."""
    squares = torch.arange(64, device=device)
    region = torch.tensor(regions(king_buckets), device=device)
    parts = []
    for first in range(0, len(samples), 1 << 20):
        raw = torch.from_numpy(samples[first : first + (1 << 20)].copy()).to(device)
        bits = raw[:, :8, None] >> torch.arange(8, device=device, dtype=torch.uint8)
        occupied = (bits & 1).reshape(-1, 64).bool()
        halves = torch.stack([raw[:, 8:24] & 15, raw[:, 8:24] >> 4], 2).reshape(-1, PIECES).long()
        rank = (occupied.long().cumsum(1) - 1).clamp(min=0)
        codes = torch.where(occupied, halves.gather(1, rank), torch.full_like(rank, 12))
        views = []
        for code, king, turned in ((codes, 5, 0), ((codes + 6) % 12, 5, 56)):
            code = torch.where(occupied, code, torch.full_like(code, 12))
            own = (code == king).long().argmax(1) ^ turned
            flip = torch.where(own & 4 != 0, 7, 0)[:, None] ^ turned
            features = region[own][:, None] * FEATURES + code * 64 + (squares[None] ^ flip)
            row = torch.full((len(raw), PIECES + 1), -1, device=device)
            row.scatter_(1, torch.where(occupied, rank, PIECES), torch.where(occupied, features, -1))
            views.append(row[:, :PIECES].to(torch.int16))
        score = raw[:, 24:26].contiguous().view(torch.int16)[:, 0]
        parts.append((torch.stack(views, 1), occupied.sum(1).to(torch.uint8), score, raw[:, 26]))
    return [torch.cat(column) for column in zip(*parts)]


class Net(torch.nn.Module):
    """(768 · K → H) × 2 → B with a squared and clipped activation."""

    def __init__(self, hidden, buckets, king_buckets, seed, device):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        uniform = lambda *shape: torch.rand(*shape, generator=generator) * 2 - 1
        self.inputs = torch.nn.Parameter((uniform(king_buckets * FEATURES, hidden) * 0.1).to(device))
        self.bias = torch.nn.Parameter(torch.full((hidden,), 0.1, device=device))
        self.outputs = torch.nn.Parameter((uniform(buckets, 2 * hidden) / math.sqrt(2 * hidden)).to(device))
        self.output_bias = torch.nn.Parameter(torch.zeros(buckets, device=device))
        self.rounding = False

    def begin_from(self, path):
        """The weights of a net with as many buckets and as many hidden neurons or fewer: the others have no say at first."""
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != NET_MAGIC or zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
            raise SystemExit(f"{path}: not a net, or damaged")
        version, hidden, buckets, king_buckets, scale = struct.unpack_from("<HHBBH", data, 8)
        shape = (version, buckets, king_buckets * FEATURES, scale)
        expected = (NET_VERSION, len(self.outputs), len(self.inputs), SCALE)
        if shape != expected or hidden > len(self.bias):
            raise SystemExit(f"{path}: version, buckets, inputs and scale are {shape} with {hidden} hidden neurons, expected {expected} with {len(self.bias)} or fewer")
        offset = 16

        def take(kind, unit, *shape):
            nonlocal offset
            values = np.frombuffer(data, kind, math.prod(shape), offset)
            offset += values.nbytes
            return torch.from_numpy(values.astype(np.float32) / unit).reshape(shape).to(self.bias.device)

        with torch.no_grad():
            self.inputs[:, :hidden] = take("<i2", QA, len(self.inputs), hidden)
            self.bias[:hidden] = take("<i2", QA, hidden)
            outputs = self.outputs.reshape(buckets, 2, -1)
            outputs[:, :, hidden:] = 0
            outputs[:, :, :hidden] = take("<i2", QB, buckets, 2, hidden)
            self.output_bias.copy_(take("<i4", QA * QB, buckets))

    def forward(self, features, pieces):
        count, wide = len(features), PADDING + len(self.inputs)
        # A dense row has a one for each piece: a product of matrices is faster than sums of rows picked one by one.
        dense = torch.zeros(2 * count, wide, device=features.device)
        index = torch.where(features < 0, NOTHING, features.long() + PADDING)
        dense.scatter_(1, index.reshape(2 * count, PIECES), 1.0)
        weights = torch.nn.functional.pad(self.seen(self.inputs, QA), (0, 0, PADDING, 0))
        hidden = (dense @ weights + self.seen(self.bias, QA)).clamp(0, 1).square().reshape(count, -1)
        bucket = (pieces.long() - 2) // -(-32 // len(self.outputs))
        bucket = bucket.clamp(0, len(self.outputs) - 1)
        every = hidden @ self.seen(self.outputs, QB).T + self.output_bias
        return every.gather(1, bucket[:, None])[:, 0]

    def seen(self, weights, unit):
        """Weights as the file will have them once they are learnt so: the gradient passes as if nothing were rounded."""
        if not self.rounding:
            return weights
        return weights + ((weights * unit).round() / unit - weights).detach()

    def rounded(self):
        """The weights as whole numbers, and the net that has just these."""
        other = Net.__new__(Net)
        torch.nn.Module.__init__(other)
        other.rounding = False
        for name, unit in (("inputs", QA), ("bias", QA), ("outputs", QB), ("output_bias", QA * QB)):
            value = (getattr(self, name).detach().double() * unit).round()
            setattr(other, name, torch.nn.Parameter((value / unit).float()))
        return other

    def to_bytes(self, king_buckets):
        whole = lambda value, unit, kind: (value.detach().cpu().double() * unit).round().numpy().astype(kind).tobytes()
        file = NET_MAGIC + struct.pack("<HHBBH", NET_VERSION, len(self.bias), len(self.outputs), king_buckets, SCALE)
        file += whole(self.inputs, QA, "<i2") + whole(self.bias, QA, "<i2") + whole(self.outputs, QB, "<i2")
        file += whole(self.output_bias, QA * QB, "<i4")
        return file + struct.pack("<I", zlib.crc32(file))


def rate_at(options, step, steps):
    """As TrainSettings::rate_at: it rises in the first hundredth, then falls along a cosine to a hundredth."""
    rising = max(steps // 100, 1)
    if step < rising:
        return options.rate * (step + 1) / rising
    way = (step - rising) / max(steps - rising, 1)
    return options.rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * way)))


def targets(part, pick, share):
    """What is to be learnt of positions: points that the side to move is to be expected to get."""
    _, _, score, half_points = part
    return share * torch.sigmoid(score[pick].float() / SCALE) + (1 - share) * half_points[pick].float() / 2


class Learner:
    """Steps of AdamW on batches of one part, or of two."""

    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.losses = torch.zeros((), dtype=torch.float64, device=net.bias.device)

    def learn(self, batch, rate):
        """A batch is a list of parts, which of their positions, and the share of the score in what they are worth."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        columns = [(part[0][pick], part[1][pick], targets(part, pick, share)) for part, pick, share in batch]
        features, pieces, target = [torch.cat(column) for column in zip(*columns)]
        loss = (torch.sigmoid(self.net(features, pieces)) - target).square().mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            for weights in (self.net.inputs, self.net.bias, self.net.outputs):
                weights.clamp_(-MOST, MOST)
            self.losses += loss.detach().double()

    def mean_loss(self, steps):
        loss = self.losses.item() / steps
        self.losses.zero_()
        return loss


def validate(net, part, options):
    losses = 0.0
    with torch.no_grad():
        for first in range(0, len(part[0]), options.batch):
            pick = slice(first, first + options.batch)
            found = torch.sigmoid(net(part[0][pick], part[1][pick]))
            losses += (found - targets(part, pick, options.share)).square().sum().item()
    return losses / len(part[0])


def save(path, data):
    """Whole or not at all."""
    with open(path + ".part", "wb") as file:
        file.write(data) if isinstance(data, bytes) else torch.save(data, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def main():
    options = arguments()
    torch.backends.cuda.matmul.allow_tf32 = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    begun = time.time()
    files = [read(path) for path in options.samples]
    games, nearby, validation = [
        unpack(np.concatenate(parts), options.king_buckets, device) if sum(map(len, parts)) else None for parts in zip(*files)
    ]
    needs_nearby = options.distil > 0 or options.nearby > 0
    if not 0 <= options.nearby < 1:
        raise SystemExit(f"--nearby {options.nearby}: expected 0 or more and less than 1")
    if games is None or validation is None or (needs_nearby and nearby is None):
        raise SystemExit("no positions to learn from, to validate with, or (--distil, --nearby) nearby")
    count = lambda part: 0 if part is None else len(part[0])
    for part in (games, nearby) if needs_nearby else (games,):
        if len(part[0]) < options.batch:
            raise SystemExit(f"--batch {options.batch}: there are only {len(part[0])} positions")
    print(json.dumps({"training": count(games), "nearby": count(nearby), "validation": count(validation), "seconds": time.time() - begun}), flush=True)

    net = Net(options.hidden, options.buckets, options.king_buckets, options.seed, device)
    if options.first:
        net.begin_from(options.first)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay)
    # Kept with the state, so that nothing else goes on from it.
    identity = json.dumps({name: value for name, value in vars(options).items() if name not in ("out", "seconds")})
    state_file, first = options.out + ".state", 0
    if os.path.exists(state_file):
        state = torch.load(state_file, map_location=device, weights_only=True)
        if state["identity"] != identity:
            raise SystemExit(f"{state_file}: of other settings: {state['identity']}")
        net.load_state_dict(state["net"])
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state["moments"]})
        first = state["epoch"]
    if first == 0 and options.first:
        print(json.dumps({"net": options.first, "validation_loss": validate(net, validation, options)}), flush=True)
    learner = Learner(net, optimizer)
    for epoch in range(first, options.distil + options.epochs):
        distilled = epoch < options.distil
        part, share = (nearby, 1.0) if distilled else (games, options.share)
        number, epochs = (epoch, options.distil) if distilled else (epoch - options.distil, options.epochs)
        beside = 0 if distilled else round(options.nearby * options.batch)
        own = options.batch - beside
        # Every batch is whole; other positions are left over in every epoch.
        steps = len(part[0]) // own
        generator = torch.Generator(device=device).manual_seed(options.seed * 1_000_003 + epoch)
        order = torch.randperm(len(part[0]), generator=generator, device=device)
        for step in range(steps):
            # Most weights of the output are a few units of the file: the last quarter of all steps learns with rounded ones.
            net.rounding = not distilled and 4 * (number * steps + step) >= 3 * epochs * steps
            now = rate_at(options, number * steps + step, epochs * steps)
            batch = [(part, order[step * own : (step + 1) * own], share)]
            if beside:
                batch.append((nearby, torch.randint(len(nearby[0]), (beside,), generator=generator, device=device), 1.0))
            learner.learn(batch, now)
        training = learner.mean_loss(steps)
        if not math.isfinite(training):
            raise SystemExit(f"the loss is {training}: expected a lower rate than {options.rate}")
        row = {"distilled": distilled, "epoch": number + 1, "training_loss": training, "validation_loss": validate(net, validation, options), "rate": now, "seconds": time.time() - begun}
        print(json.dumps(row), flush=True)
        save(state_file, {"identity": identity, "epoch": epoch + 1, "net": net.state_dict(), "moments": optimizer.state_dict()["state"]})
        if options.seconds and time.time() - begun > options.seconds:
            raise SystemExit("stopped; the same command goes on")
    save(options.out, net.to_bytes(options.king_buckets))
    os.remove(state_file)
    print(json.dumps({"net": options.out, "rounded_loss": validate(net.rounded(), validation, options), "seconds": time.time() - begun}), flush=True)


if __name__ == "__main__":
    main()
