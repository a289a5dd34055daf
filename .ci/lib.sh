# What `.ci/run` and `.ci/nightly` share: steps, with the time and the disk when each begins, and skips, which are named again at the end.
skipped=()
step() { printf '\n=== %s (%ss, %s free)\n' "$1" "$SECONDS" "$(df -h --output=avail . | tail -n 1 | tr -d ' ')"; }
skip() { echo "skipped: $1"; skipped+=("$1"); }
