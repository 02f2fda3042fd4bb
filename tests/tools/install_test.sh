#!/bin/bash
# An installed tree holds all that weft needs, and goes on working after it was moved.
# Usage: install_test.sh BUILD_FOLDER
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cmake --install "$1" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved here"
tree="$work/moved here"

for file in bin/weft share/man/man1/weft.1 share/bash-completion/completions/weft share/weft/filters/picture/eq.yaml \
    share/weft/filters/picture/eq.cl share/weft/pipelines/demo.yaml share/weft/report/report.html; do
    [ -s "$tree/$file" ] || fail "no $file in the installed tree"
done
compgen -G "$tree/share/weft/kernels/*.cl" >/dev/null || fail "no kernels in the installed tree"
bash -n "$tree/share/bash-completion/completions/weft" || fail "the completion is no bash"
find "$tree" -type l | grep . && fail "the installed tree holds links"

unset WEFT_ASSETS
cd /
"$tree/bin/weft" --version | grep -Eq '^weft [0-9]+\.[0-9]+' || fail "weft --version says something else"
"$tree/bin/weft" filters --names | grep -qx eq || fail "the moved weft does not find its filters"
echo "an installed and moved tree works"
