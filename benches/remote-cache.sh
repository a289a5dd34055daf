#!/usr/bin/env bash
# Prints what a remote cache does for a folder of assets: benches/remote-cache.sh DIR
# Packs it on a machine that adds, on a second one that reads, and there again, with nginx as the web server between them.
# Needs nginx with its module for WebDAV (Debian: nginx-light), and compiles the command with the feature `remote-cache`.
set -euo pipefail
folder="$(realpath "$1")"
cd "$(dirname "$0")/.."
cargo build --quiet --release -p cargo-rres --features remote-cache --target-dir target/remote
rres="$PWD/target/remote/release/cargo-rres"
dir="$(mktemp -d)"
trap 'kill ${delay:-} 2>/dev/null; nginx -c "$dir/nginx.conf" -s stop 2>/dev/null; rm -rf "$dir"' EXIT
mkdir "$dir/root" "$dir/body" "$dir/out"
port=5253
cat > "$dir/nginx.conf" <<NGINX
worker_processes 1; pid $dir/pid; error_log $dir/error.log;
$([ "$(id -u)" = 0 ] && echo "user root;")
events { worker_connections 256; }
http { access_log $dir/access.log; client_body_temp_path $dir/body; client_max_body_size 1g;
  server { listen 127.0.0.1:$port; root $dir/root; location / { dav_methods PUT; create_full_put_path on; } } }
NGINX
nginx -c "$dir/nginx.conf" 2>/dev/null
pack() { # name of the machine, pack, settings
  local machine=$1 out=$2 TIMEFORMAT='%R s, %U s of CPU'
  shift 2
  time env HOME="$dir" RRES_CACHE_DIR="$dir/$machine" "$@" "$rres" rres pack "$folder" -o "$dir/out/$out.rres" | grep '^remote cache' || true
}
store="RRES_REMOTE_CACHE=http://127.0.0.1:$port/team"
echo "the first machine:"; pack first a "$store" RRES_REMOTE_CACHE_WRITE=1
: > "$dir/access.log"
echo "a second one:"; pack second b "$store"
cmp "$dir/out/a.rres" "$dir/out/b.rres"
awk '{ bytes += $10 } END { print NR " requests, " bytes " bytes" }' "$dir/access.log"
echo "blobs in its cache: $(find "$dir/second/blobs" -type f -printf '%s\n' | awk '{ bytes += $1 } END { print NR ", " bytes " bytes" }')"
echo "with everything in its own cache:"; pack second c RRES_REMOTE_CACHE=off
if command -v python3 >/dev/null; then
  python3 benches/delay.py 5254 $port 50 & delay=$!
  sleep 1
  echo "a third one, 50 ms away:"; pack third d "RRES_REMOTE_CACHE=http://127.0.0.1:5254/team"
  kill $delay
fi
