"""What the comparisons of folders have in common: names of files, and the table of outcomes."""

import collections
import pathlib
import re


def relative(place, root):
    """Returns the path of a file below a directory; None if it is not. A place may end with a line and a column."""
    place = re.sub(r":\d+:\d+$", "", place)
    try:
        return pathlib.Path(place).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None


def print_table(table, columns):
    """Prints a Counter of outcomes for each format, and their sum."""
    print("| format | " + " | ".join(columns) + " |")
    for name, row in sorted(table.items()) + [("total", sum(table.values(), collections.Counter()))]:
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")
