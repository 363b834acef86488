# Sourced by the scripts of the outside levels: packages, programs of the workspace, and servers that end with the script. It also runs under
# bash 3.2, which macOS has.
#
#   tests/LEVEL/run install    only installs the packages of the level
#   BUILT=1 tests/LEVEL/run    takes the programs that `cargo build --workspace --all-targets` left, and builds nothing
#
# A level has a folder of its own, target/LEVEL, and its servers take free ports, so levels can run beside each other.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$root/target/$(basename "$here")"
programs=${CARGO_TARGET_DIR:-$root/target}/debug
# How the script is called in its messages.
name=${name:-$(basename "$here")}
started=()
failed=0
mkdir -p "$work"

export PYTHONDONTWRITEBYTECODE=1
# Nothing on this machine is called through a proxy.
export NO_PROXY="127.0.0.1,localhost,${NO_PROXY:-}" no_proxy="127.0.0.1,localhost,${no_proxy:-}"

skip() { echo "$name: skipped, $1"; exit 0; }

# Ends the script with a message and the end of a log: MESSAGE [LOG].
fail() { echo "$name: $1"; [ -z "${2:-}" ] || tail -n 40 "$2"; exit 1; }

stop() {
    local process
    for process in "${started[@]:-}"; do [ -n "$process" ] && kill "$process" 2>/dev/null && wait "$process" 2>/dev/null; done
    started=()
}
trap stop EXIT
trap 'exit 130' INT TERM

# Runs a command with a time limit; macOS has no `timeout`.
with_timeout() { if command -v timeout >/dev/null; then timeout "$@"; else shift; "$@"; fi; }

# Runs a part of the level. If it fails, the others run all the same, and the script ends with `exit $failed`:
# PART SECONDS COMMAND...
part() {
    local part=$1
    shift
    with_timeout "$@" || { echo "$part: failed"; failed=1; }
}

# Installs a list of Python packages into an environment of its own: LIST ENVIRONMENT.
python_packages() {
    local list="$here/$1" environment="$work/$2"
    cmp -s "$list" "$environment/installed.txt" && [ -x "$environment/bin/python" ] && return
    rm -rf "$environment"
    python3 -m venv "$environment" &&
        with_timeout 600 "$environment/bin/pip" install --quiet --no-compile --disable-pip-version-check --retries 1 -r "$list" &&
        cp "$list" "$environment/installed.txt"
}

# The level needs Python and these packages: [LIST ENVIRONMENT].
need_python() {
    command -v python3 >/dev/null && python3 -c 'import venv' 2>/dev/null || skip "Python is not installed"
    local list=${1:-requirements.txt} environment=${2:-venv}
    python_packages "$list" "$environment" >"$work/install-$environment.log" 2>&1 || skip "the packages cannot be installed"
    python="$work/$environment/bin/python"
}

# Installs the packages of package.json, and then calls a command in their folder: [COMMAND...]. No script of a package
# runs.
node_packages() {
    local folder="$work/node"
    cmp -s "$here/package.json" "$folder/installed.json" && return
    rm -rf "$folder" && mkdir -p "$folder" && cp "$here/package.json" "$folder" &&
        (cd "$folder" && with_timeout 300 npm install --silent --no-fund --no-audit --ignore-scripts && "${@:-true}") &&
        cp "$here/package.json" "$folder/installed.json"
}

# Whether Node and its packages are there; if not, says what is skipped: PART [COMMAND...].
has_node() {
    local part=$1
    shift
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "$part: skipped, Node is not installed"
    elif ! node_packages "$@" >"$work/install-node.log" 2>&1; then
        echo "$part: skipped, the packages cannot be installed"
    else
        return 0
    fi
    return 1
}

# Builds programs of the workspace, or all of them: [NAME...]. With the features of the whole workspace cargo reuses what
# `cargo test` built.
build() {
    local program options=()
    for program; do
        options+=(--bin "$program")
        [ -z "${BUILT:-}" ] || [ -x "$programs/$program" ] || fail "BUILT is set, but there is no $programs/$program"
    done
    [ $# -gt 0 ] || options=(--bins)
    [ -n "${BUILT:-}" ] || (cd "$root" && cargo build --quiet --workspace "${options[@]}" --locked) || exit 1
}

# Starts a gateway with an empty table: [FOLDER]. Its addresses are in ready.json of the folder.
start_gateway() {
    local folder=${1:-$work}
    mkdir -p "$folder"
    rm -rf "$folder/data" "$folder/ready.json"
    "$programs/gateway" --sandbox --port 0 --sandbox-port 0 --data "$folder/data" --json >"$folder/ready.json" \
        2>"$folder/gateway.log" &
    started+=($!)
    for _ in $(seq 300); do
        [ -s "$folder/ready.json" ] && return
        sleep 0.1
    done
    fail "the gateway does not start:" "$folder/gateway.log"
}
