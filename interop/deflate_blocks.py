"""Raw deflate stream -> its blocks, to find the legal ones that raylib's inflate (sinfl) misreads.

Known faults: a dynamic block that uses a single distance code other than symbol 0, and an empty stored block before
the end. RFC 1951 read bit by bit; slow, and meant for checking, not for unpacking.
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
                raise RresError("deflate stream ends within a block")
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
        raise RresError("deflate stream holds an unassigned code")

    def align(self):
        self.held >>= self.count % 8
        self.count -= self.count % 8


def _table(lengths):
    """Canonical code with a leading 1 bit (so that lengths differ) -> symbol."""
    table, code = {}, 0
    for length in range(1, 16):
        code <<= 1
        for symbol, own in enumerate(lengths):
            if own == length:
                table[code | 1 << length] = symbol
                code += 1
    return table


FIXED = _table([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8), _table([5] * 30)


def _dynamic(bits):
    literals, distances, codes = bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4
    own = [0] * 19
    for place in CODE_ORDER[:codes]:
        own[place] = bits.take(3)
    table, lengths = _table(own), []
    while len(lengths) < literals + distances:
        symbol = bits.symbol(table)
        if symbol < 16:
            lengths.append(symbol)
        elif symbol == 16:
            lengths += lengths[-1:] * (3 + bits.take(2))
        else:
            lengths += [0] * (3 + bits.take(3) if symbol == 17 else 11 + bits.take(7))
    return lengths[:literals], lengths[literals : literals + distances]


def sinfl_faults(data):
    """Words for each block that raylib's inflate would get wrong."""
    bits, last, number = Bits(data), False, 0
    while not last:
        last, kind = bits.take(1), bits.take(2)
        number += 1
        if kind == 0:
            bits.align()
            length = bits.take(16)
            if bits.take(16) != length ^ 0xFFFF:
                raise RresError("deflate stored block has a wrong length check")
            if length == 0 and not last:
                yield f"deflate block {number} is stored, empty and not the last (a flush)"
            for _ in range(length):
                bits.take(8)
            continue
        if kind == 3:
            raise RresError("deflate block of type 3")
        literal, distance = FIXED
        if kind == 2:
            near, far = _dynamic(bits)
            literal, distance = _table(near), _table(far)
            used = [symbol for symbol, length in enumerate(far) if length]
            if len(used) == 1 and used != [0]:
                yield f"deflate block {number} has a single distance code, symbol {used[0]}"
        while (symbol := bits.symbol(literal)) != 256:
            if symbol > 256:
                if symbol > 285:
                    raise RresError("deflate length symbol over 285")
                bits.take(LENGTH_EXTRA[symbol - 257])
                far = bits.symbol(distance)
                if far > 29:
                    raise RresError("deflate distance symbol over 29")
                bits.take(DISTANCE_EXTRA[far])
