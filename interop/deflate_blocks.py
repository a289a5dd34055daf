"""Reads the blocks of a raw deflate stream, to find legal ones that raylib's inflate (sinfl) misreads.

It misreads a dynamic block that uses a single distance code other than symbol 0, and an empty stored block before the
end. This module reads RFC 1951 bit by bit, which is slow: it checks streams and does not decompress them.
"""

from container import RresError

LENGTH_EXTRA = [0] * 8 + [n for n in range(1, 6) for _ in range(4)] + [0]
DISTANCE_EXTRA = [0, 0] + [n for n in range(14) for _ in range(2)]
CODE_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


class Bits:
    def __init__(self, data):
        self.data, self.at, self.held, self.count = data, 0, 0, 0

    def take(self, count):
        while self.count < count:
            if self.at >= len(self.data):
                raise RresError("deflate stream ends inside a block")
            self.held |= self.data[self.at] << self.count
            self.at += 1
            self.count += 8
        value = self.held & (1 << count) - 1
        self.held >>= count
        self.count -= count
        return value

    def symbol(self, table):
        code, length = 1, 0
        while length < 15:
            code = code << 1 | self.take(1)
            length += 1
            if code in table:
                return table[code]
        raise RresError("deflate stream contains an unassigned code")

    def align(self):
        self.held >>= self.count % 8
        self.count -= self.count % 8


def _table(lengths):
    """Returns a dict from canonical code to symbol. A leading 1 bit keeps codes of different lengths distinct."""
    table, code = {}, 0
    for length in range(1, 16):
        code <<= 1
        for symbol, symbol_length in enumerate(lengths):
            if symbol_length == length:
                table[code | 1 << length] = symbol
                code += 1
    return table


FIXED = _table([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8), _table([5] * 30)


def _dynamic(bits):
    literals, distances, codes = bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4
    code_lengths = [0] * 19
    for symbol in CODE_ORDER[:codes]:
        code_lengths[symbol] = bits.take(3)
    table, lengths = _table(code_lengths), []
    while len(lengths) < literals + distances:
        symbol = bits.symbol(table)
        if symbol < 16:
            lengths.append(symbol)
        elif symbol == 16:
            lengths += lengths[-1:] * (3 + bits.take(2))
        else:
            lengths += [0] * (3 + bits.take(3) if symbol == 17 else 11 + bits.take(7))
    return lengths[:literals], lengths[literals : literals + distances]


def sinfl_hazards(data):
    """Yields a message for each block that raylib's inflate would misread."""
    bits, last, number = Bits(data), False, 0
    while not last:
        last, kind = bits.take(1), bits.take(2)
        number += 1
        if kind == 0:
            bits.align()
            length = bits.take(16)
            if bits.take(16) != length ^ 0xFFFF:
                raise RresError("deflate stored block: the two copies of its length differ")
            if length == 0 and not last:
                yield f"deflate block {number} is stored, empty and not the last (a flush)"
            for _ in range(length):
                bits.take(8)
            continue
        if kind == 3:
            raise RresError("deflate block has type 3, expected 0 to 2")
        literals, distances = FIXED
        if kind == 2:
            literal_lengths, distance_lengths = _dynamic(bits)
            literals, distances = _table(literal_lengths), _table(distance_lengths)
            used = [symbol for symbol, length in enumerate(distance_lengths) if length]
            if len(used) == 1 and used != [0]:
                yield f"deflate block {number} has a single distance code, symbol {used[0]}"
        while (symbol := bits.symbol(literals)) != 256:
            if symbol > 256:
                if symbol > 285:
                    raise RresError(f"deflate length symbol is {symbol}, expected at most 285")
                bits.take(LENGTH_EXTRA[symbol - 257])
                distance = bits.symbol(distances)
                if distance > 29:
                    raise RresError(f"deflate distance symbol is {distance}, expected at most 29")
                bits.take(DISTANCE_EXTRA[distance])
