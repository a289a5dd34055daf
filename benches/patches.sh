#!/bin/sh
# Sizes of patches for three edits of real files, beside bsdiff, xdelta3 and zstd --patch-from over whole packs.
#
#     benches/patches.sh WORK_DIR [CARGO_RRES]
#
# Needs Debian or Ubuntu: downloads wesnoth-1.16-data and supertux-data to WORK_DIR, or takes what is there. Needs the packages
# bsdiff, xdelta3, zstd, vorbis-tools and python3-pil. CARGO_RRES is the command; default: cargo-rres. LIMIT is the processor time
# in seconds that each other program gets for one edit; default: 300. A cell of the table says so if one needs more.
set -eu
work=${1:?usage: benches/patches.sh WORK_DIR [CARGO_RRES]}
rres=${2:-cargo-rres}
limit=${LIMIT:-300}
for tool in bsdiff xdelta3 zstd oggdec oggenc; do
    command -v "$tool" > /dev/null || { echo "missing: $tool" >&2; exit 2; }
done
. "$(dirname "$0")/packages.sh"

# other NAME COMMAND...: runs another program, which writes other.NAME, within the limit.
other() {
    name=$1
    shift
    # Processor time, so that the result does not depend on what else the machine does.
    if ! (ulimit -t "$limit"; exec "$@") 2> "log.$name"; then
        cat "log.$name" >&2
        echo "$name failed, or needed more than $limit s" >&2
        rm -f "other.$name"
    fi
}

# ratio FILE: its size divided by that of our patch.
ratio() {
    if [ -f "$1" ]; then
        awk -v size="$(stat -c %s "$1")" -v ours="$ours" 'BEGIN { r = size / ours; printf (r < 10 ? " | %.2f×" : " | %.1f×"), r }'
    else
        printf ' | over %s s' "$limit"
    fi
}

# bytes FILE: its size for people.
bytes() {
    size=$(stat -c %s "$1")
    awk -v n="$size" 'BEGIN { if (n < 1e3) print n " B"; else if (n < 1e6) printf "%.1f kB", n / 1e3; else printf "%.1f MB", n / 1e6 }'
}

# row NAME: old.rres and new.rres -> a row of the table.
row() {
    rm -f ours.rres whole.rres other.*
    "$rres" patch old.rres new.rres -o ours.rres > /dev/null
    "$rres" patch old.rres new.rres -o whole.rres --no-deltas > /dev/null
    "$rres" patch --apply old.rres ours.rres -o again.rres > /dev/null
    cmp again.rres new.rres
    other bsdiff bsdiff old.rres new.rres other.bsdiff &
    other xdelta xdelta3 -q -f -e -9 -S djw -B 1073741824 -s old.rres new.rres other.xdelta &
    other zstd zstd -q -f --ultra -22 --long=31 --patch-from=old.rres new.rres -o other.zstd &
    wait
    ours=$(stat -c %s ours.rres)
    printf '| %s | %s | %s' "$1" "$(bytes new.rres)" "$(bytes ours.rres)"
    for file in whole.rres other.bsdiff other.xdelta other.zstd; do
        ratio "$file"
    done
    "$rres" diff old.rres new.rres --json | python3 -c '
import json, sys
update = json.load(sys.stdin)["update"]
print(" | %.1f MB | %.1f MB |" % (update["fixed_blocks_size"] / 1e6, update["moved_blocks_size"] / 1e6))'
}

echo '| edit | new pack | our patch | without deltas | bsdiff | xdelta3 | zstd --patch-from | store, fixed blocks | store, moved blocks |'
echo '|---|---|---|---|---|---|---|---|---|'

# One of 2,000 images: a square of 16 x 16 pixels is painted.
package wesnoth-1.16-data
rm -rf tree
mkdir tree
find wesnoth-1.16-data/ -name '*.png' -size +1k | sort | head -2000 | while read -r file; do
    cp "$file" "tree/$(echo "$file" | md5sum | cut -c1-4)-$(basename "$file")"
done
"$rres" pack tree -o old.rres > /dev/null
python3 - "tree/$(ls tree | sed -n 1000p)" << 'END'
import sys
from PIL import Image
image = Image.open(sys.argv[1]).convert("RGBA")
image.paste((200, 40, 40, 255), (4, 4, 20, 20))
image.save(sys.argv[1])
END
"$rres" pack tree -o new.rres > /dev/null
row 'one of 2,000 images'

# A level is added to a game.
package supertux-data
rm -rf tree
mkdir tree
data=$(find supertux-data/ -type d -name levels | head -1)
cp -r "$data" "$(dirname "$data")/images" tree
# Translations of the levels, one of which is not UTF-8.
find tree -name '*.po' -delete
level=$(find tree/levels -name '*.stl' | sort | sed -n 100p)
mv "$level" level
"$rres" pack tree -o old.rres > /dev/null
mv level "$level"
"$rres" pack tree -o new.rres > /dev/null
row 'a level added'

# A sound of 30 MB is encoded again: the decoded Ogg Vorbis of lower quality.
rm -rf tree
mkdir tree
find supertux-data/ -name '*.ogg' -size +1M | sort | head -8 | while read -r file; do
    oggdec -Q -R -o - "$file"
done | head -c 30000000 > sound.raw
oggenc -Q -r -q 6 -o sound.ogg sound.raw
oggdec -Q -o tree/sound.wav sound.ogg
echo 'A text beside it.' > tree/readme.txt
"$rres" pack tree -o old.rres > /dev/null
oggenc -Q -q 3 -o sound.ogg tree/sound.wav
oggdec -Q -o tree/sound.wav sound.ogg
"$rres" pack tree -o new.rres > /dev/null
row 'a sound of 30 MB encoded again'
rm -f again.rres ours.rres whole.rres other.* log.* sound.raw sound.ogg
