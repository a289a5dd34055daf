# What `.ci/run` and `.ci/nightly` share: steps with their times, and skips. Both are printed again at the end.

# The names of the steps so far, and the second at which each began.
steps=() began=() skipped=()
step() {
  steps+=("$1") began+=("$SECONDS")
  printf '\n=== %s (%s s, %s free)\n' "$1" "$SECONDS" "$(df -h --output=avail . | tail -n 1 | tr -d ' ')"
}
skip() { echo "skipped: $1"; skipped+=("$1"); }

# Installs Debian packages if this is Debian and the user is root.
install() {
  [ "$#" -gt 0 ] || return 0
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null || echo "cannot be installed: $*"
  else
    echo "not installed, and not root to install them: $*"
  fi
}

# Whether Rust can compile for a target.
has_target() { [ -d "$(rustc --print target-libdir --target "$1")" ] || rustup target add "$1" >/dev/null 2>&1; }

# Prints how long each step took, and what was skipped.
summary() {
  step "done"
  for ((i = 0; i + 1 < ${#steps[@]}; i++)); do
    printf '%6s s  %s\n' "$((began[i + 1] - began[i]))" "${steps[i]}"
  done
  printf '%6s s  in all\n' "$SECONDS"
  for reason in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $reason"; done
}
