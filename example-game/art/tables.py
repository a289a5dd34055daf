"""Writes the gust table: how much the wind pushes the lantern along a level, as 512 little-endian floats."""

import numpy as np

from paint import noise


def make(out):
    gusts = noise(512, 4, (9, 1), 400, 5)[1] * 2 - 1
    (out / 'gusts.dat').write_bytes((gusts / abs(gusts).max()).astype('<f4').tobytes())
