# shellcheck shell=bash disable=SC2034 # the lists are used by the scripts that source this
# Shared by the scripts in tools/: what to install, how to say things. Sourced by bash, does nothing by itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*" >&2; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 2
}

# Names are the same in Debian 12 and 13 and in Ubuntu 24.04.
build_packages=(
    g++ cmake ninja-build ccache pkg-config git python3
    libavformat-dev libavcodec-dev libavfilter-dev libavutil-dev libswscale-dev libswresample-dev
    ocl-icd-opencl-dev opencl-clhpp-headers opencl-headers
    libsdl2-dev libimgui-dev libgl-dev libegl-dev
    libspdlog-dev libyaml-cpp-dev libmuparser-dev libcli11-dev nlohmann-json3-dev
)
run_packages=(ffmpeg pocl-opencl-icd libgl1-mesa-dri)
test_packages=(libgtest-dev libgmock-dev xvfb xauth python3-pyqt5.qtwebengine)
check_packages=(clang clang-format clang-tidy)

missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# need_packages NAME...: installs what is missing with apt; elsewhere, or when WEFT_NO_INSTALL is set, says what is
# missing and stops. On a system without apt WEFT_NO_INSTALL=1 also means "I have them, go on".
need_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        if [ -n "${WEFT_NO_INSTALL:-}" ]; then return; fi
        die "this system has no apt. weft needs what Debian calls:
  $*
Install those, then run again with WEFT_NO_INSTALL=1."
    fi
    local missing=() as_root=()
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    local command="${as_root[*]:+${as_root[*]} }apt-get install --no-install-recommends ${missing[*]}"
    if [ -n "${WEFT_NO_INSTALL:-}" ]; then die "packages are missing: $command"; fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        die "packages are missing, and there is neither root nor sudo here; as root: $command"
    fi
    say "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# configure PRESET [OPTION...], build PRESET [TARGET...]; the tree is build/PRESET.
configure() {
    local preset=$1
    shift
    say "Configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" "$@") >&2
}
build() {
    local preset=$1
    shift
    say "Building ${*:-everything} in build/$preset"
    local targets=()
    [ $# -gt 0 ] && targets=(--target "$@")
    cmake --build "$root/build/$preset" -j "$(nproc)" "${targets[@]}" >&2
}

# run_ctest TREE [OPTION...]: runs tests two at a time and adds their numbers to $passed and $failed; a skipped test
# counts as neither and is named. Never fails itself, so that a caller can go on to the next tree.
passed=0
failed=0
run_ctest() {
    local tree=$1
    shift
    local results=$tree/ctest.xml
    rm -f "$results"
    ctest --test-dir "$tree" -j 2 --timeout 300 --output-on-failure --output-junit "$results" "$@" >&2 || true
    local numbers
    numbers=$(python3 - "$results" <<'PY'
import sys, xml.etree.ElementTree as tree
try:
    suite = tree.parse(sys.argv[1]).getroot()
except (OSError, tree.ParseError):
    print(0, 1)  # ctest itself failed
else:
    status = [case.get("status") for case in suite.iter("testcase")]
    print(status.count("run"), status.count("fail"))
PY
    )
    read -r tree_passed tree_failed <<<"$numbers"
    passed=$((passed + tree_passed))
    failed=$((failed + tree_failed))
}

# check NAME COMMAND...: one more thing that passes or fails.
check() {
    local name=$1
    shift
    say "$name"
    if "$@" >&2; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$name" >&2
    fi
}
