#!/bin/sh
# What stores that compare blocks of 1 MiB download when 1 % of the files of a folder change, with and without `layout_from`.
#
#     benches/layout.sh WORK_DIR [CARGO_RRES [PACKAGE...]]
#
# Needs Debian or Ubuntu: downloads the packages to WORK_DIR, or takes what is there. Needs python3-pil. CARGO_RRES is the command; default:
# cargo-rres. The packages are Debian's, with pictures in /usr/share/games; default: supertux-data.
set -eu
work=${1:?usage: benches/layout.sh WORK_DIR [CARGO_RRES [PACKAGE...]]}
rres=${2:-cargo-rres}
[ $# -gt 2 ] && shift 2 || set -- supertux-data
. "$(dirname "$0")/packages.sh"

# Changes the files of `tree` that the hash of their path chooses: paints a square into each hundredth picture. With `some`, also removes each
# two hundredth file and adds as many copies of others, turned upside down.
edit() {
    python3 - "$1" << 'END'
import hashlib, os, sys
from PIL import Image
files = sorted(os.path.join(folder, name) for folder, _, names in os.walk("tree") for name in names if name.endswith(".png"))
by_hash = sorted(files, key=lambda file: hashlib.sha256(file.encode()).digest())
painted = len(files) // 100
for file in by_hash[:painted]:
    image = Image.open(file).convert("RGBA")
    image.paste((200, 40, 40, 255), (4, 4, 20, 20))
    image.save(file)
if sys.argv[1] == "some":
    for gone, copied in zip(by_hash[painted:painted + painted // 2], by_hash[2 * painted:]):
        os.remove(gone)
        Image.open(copied).convert("RGBA").transpose(Image.Transpose.ROTATE_180).save(copied[:-4] + "-turned.png")
END
}

# field PACK NAME: a figure of `cargo rres diff`, in megabytes.
field() {
    "$rres" diff old.rres "$1" --json | python3 -c 'import json, sys; print("%.1f MB" % (json.load(sys.stdin)["update"][sys.argv[1]] / 1e6))' "$2"
}

size() { stat -c %s "$1" | awk '{ printf "%.1f MB", $1 / 1e6 }'; }

row() {
    printf '[pack]\n' > tree/assets.toml
    "$rres" pack tree -o new.rres > /dev/null
    printf '[pack]\nlayout_from = "old.rres"\n' > tree/assets.toml
    "$rres" pack tree -o kept.rres > /dev/null
    "$rres" verify kept.rres > /dev/null
    echo "| $1 | $(size new.rres) | $(size kept.rres) | $(field new.rres fixed_blocks_size) | $(field kept.rres fixed_blocks_size) | $(field new.rres moved_blocks_size) | $(field kept.rres moved_blocks_size) |"
}

echo '| edit | pack | with `layout_from` | fixed blocks | with `layout_from` | moved blocks | with `layout_from` |'
echo '|---|---|---|---|---|---|---|'
for name in "$@"; do
    package "$name"
    for edit in none some; do
        rm -rf tree
        mkdir tree
        find "$name/" -name '*.png' -size +1k | sort | while read -r file; do
            target="tree/${file#"$name"/usr/share/games/}"
            mkdir -p "$(dirname "$target")"
            cp "$file" "$target"
        done
        "$rres" pack tree -o old.rres > /dev/null
        edit "$edit"
        case $edit in
            none) row "$name: 1 % of $(find tree -name '*.png' | wc -l) pictures painted" ;;
            some) row "… and 0.5 % removed, 0.5 % added" ;;
        esac
    done
done
