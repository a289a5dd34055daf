# Shared by scripts that pack the files of Debian packages. They set `work` and `rres`, read this, and are then in WORK_DIR.
for tool in "$rres" python3; do
    command -v "$tool" > /dev/null || { echo "missing: $tool" >&2; exit 2; }
done
python3 -c 'import PIL' || { echo 'missing: python3-pil' >&2; exit 2; }
# It stays the same program after the change of directory.
rres=$(realpath "$(command -v "$rres")")
mkdir -p "$work"
cd "$work"
export RRES_CACHE_DIR="$PWD/cache" LC_ALL=C

# Unpacks a Debian package to a directory of its name.
package() {
    [ -d "$1" ] && return
    apt-get download "$1" > /dev/null
    dpkg -x "$1"_*.deb "$1.part"
    mv "$1.part" "$1"
}
