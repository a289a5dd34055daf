#!/bin/sh
# Sizes of packs beside those of their sources, of zip -9 and of tar with zstd -19, as a table in Markdown.
#
#     benches/sizes.sh WORK_DIR [CARGO_RRES]
#
# Needs Debian or Ubuntu: downloads minetest-data, pingus-data, tuxpaint-data and supertux-data to WORK_DIR, or takes what is there. Needs zip,
# zstd and python3. CARGO_RRES is the command; default: cargo-rres. The folders are packed as a newcomer would: without settings, except
# for the example, which has its own, and files that cannot be imported are left out on all sides.
set -eu
work=${1:?usage: benches/sizes.sh WORK_DIR [CARGO_RRES]}
rres=${2:-cargo-rres}
for tool in "$rres" zip zstd python3; do
    command -v "$tool" > /dev/null || { echo "missing: $tool" >&2; exit 2; }
done
rres=$(realpath "$(command -v "$rres")")
example=$(realpath "$(dirname "$0")/../assets")
mkdir -p "$work"
cd "$work"
export RRES_CACHE_DIR="$PWD/cache" LC_ALL=C
for name in minetest-data pingus-data tuxpaint-data supertux-data; do
    [ -d "$name" ] && continue
    apt-get download "$name" > /dev/null
    dpkg -x "$name"_*.deb "$name.part"
    mv "$name.part" "$name"
done
# Extracts pixels, samples and the rest of the table from what the command prints.
cat > table.py <<'PYTHON'
import json, os, sys
name, folder, build, resources, archives = sys.argv[1], sys.argv[2], *(json.load(open(f)) for f in sys.argv[3:5]), sys.argv[5:]
kinds = {}
for asset in build["assets"]:
    kinds.setdefault(asset["kind"], [0, 0])[0] += os.path.getsize(os.path.join(folder, asset["path"]))
for resource in resources["resources"]:
    kinds.setdefault(resource["kind"], [0, 0])[1] += resource["stored_size"]
total = sum(source for source, _ in kinds.values())
sizes = [os.path.getsize(archive) for archive in archives]
cells = [f"{size / total:.2f}" for size in sizes]
by_kind = ", ".join(f"{kind} {stored / source:.2f}" for kind, (source, stored) in sorted(kinds.items()) if source > total / 50)
print(f"| {name} | {len(build['assets']):,} | {total / 1e6:.1f} MB | " + " | ".join(cells) + f" | {by_kind} |")
PYTHON
echo "| folder | assets | sources | zip -9 | tar, zstd -19 | pack | pack, level 19 | pack by kind |"
echo "|---|---|---|---|---|---|---|---|"
for folder in "$example" minetest-data pingus-data tuxpaint-data supertux-data; do
    name=$(basename "$folder")
    rm -rf stage stage.*
    cp -r "$folder" stage
    "$rres" rres pack stage -o stage.rres --keep-going --json > stage.json 2> /dev/null
    "$rres" rres ls --json stage.rres > stage.ls
    # The archives have what the pack has.
    python3 -c 'import json, sys
for asset in json.load(open("stage.json"))["assets"]: print(asset["path"])' > stage.list
    (cd stage && zip -9 -q ../stage.zip -@ < ../stage.list && tar --sort=name --mtime=@0 --owner=0 --group=0 -cf ../stage.tar -T ../stage.list)
    zstd -19 -q stage.tar -o stage.tar.zst
    grep -q '^\[pack\]' stage/assets.toml 2> /dev/null || printf '[pack]\n' >> stage/assets.toml
    sed -i 's/^\[pack\]/[pack]\nlevel = 19/' stage/assets.toml
    "$rres" rres pack stage -o stage.19.rres --keep-going > /dev/null 2>&1
    [ "$name" = assets ] && name="the example"
    python3 table.py "$name" stage stage.json stage.ls stage.zip stage.tar.zst stage.rres stage.19.rres
done
