# Sourced by `run` and `nightly`: stages in two lanes, and their table.
#
# Each stage writes to a log of its own in target/ci. A lane goes on after a stage that failed, so that one run tells
# everything that is wrong.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A clean clone builds each crate once, so the files for the next incremental build would only take half of its disk.
export CARGO_INCREMENTAL=0
# A panic names its line without it, and linking takes less time.
export CARGO_PROFILE_DEV_DEBUG=0
# They check the preconditions of unsafe code, which the workspace has none of, and take an eighth of a test's time.
export CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=false CARGO_PROFILE_DEV_OVERFLOW_CHECKS=true
# The scripts of the outside levels take the programs that the first stage built.
export BUILT=1
logs=$PWD/target/ci
rm -rf "$logs"
mkdir -p "$logs"
started=$(date +%s)

# The number that decides which samples run: the hash of the commit, so that each commit tries others.
number=$(git rev-parse HEAD 2>/dev/null || echo 0)

# Runs a command as a stage: LANE NAME COMMAND...
stage() {
    local lane=$1 name=$2 log begin state=ok
    shift 2
    log=$logs/${name//[ \/]/-}.log
    begin=$(date +%s)
    if ! "$@" >"$log" 2>&1 </dev/null; then state=failed; elif was_skipped "$name"; then state="ok, with a part skipped"; fi
    echo "$lane|$name|$((begin - started))|$(($(date +%s) - begin))|$state" >>"$logs/stages"
    echo "== $name: $state, $(($(date +%s) - begin)) s"
    if [ "$state" = failed ]; then tail -n 150 "$log"; else grep -E 'skipped|left out' "$log"; fi
    [ "$state" != failed ]
}

# Whether a stage has left out what the machine lacks something for.
was_skipped() { grep -q ': skipped,' "$logs/${1//[ \/]/-}.log"; }

# Waits for what the other lane makes.
until_exists() { until [ -e "$1" ]; do sleep 1; done; }

# Says what a rule leaves out, and why: LANE NAME REASON.
leave_out() { echo "$1|$2|-|0|left out: $3" >>"$logs/stages"; echo "== $2: left out, $3"; }

# The table of stages. Fails if a stage failed.
table() {
    echo
    echo "| lane | stage | from, min | min | |"
    echo "|---|---|---|---|---|"
    awk -F'|' '{ printf "| %s | %s | %s | %.1f | %s |\n", $1, $2, ($3 == "-" ? "-" : sprintf("%.1f", $3 / 60)), $4 / 60, $5 }' \
        "$logs/stages"
    echo
    awk -v s=$(($(date +%s) - started)) 'BEGIN { printf "%.1f minutes in all\n", s / 60 }'
    ! grep -q '|failed$' "$logs/stages"
}

# The hash of some files' content, to compare with a file that says for which content a check passed.
digest() { git ls-files -z "$@" | sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1; }

# What the deployment consists of, apart from the code. A judge that is a workspace of its own is no part of it.
deployment=(template.yaml samconfig.toml infra/env.json 'infra/events/*' ':(glob)**/Cargo.toml' ':(exclude)tests/mcp/rmcp' tests/sam-local)

# Whether a check has passed with the same content: FILE, which has the digest, and the files.
has_passed() {
    local file=$1
    shift
    [ "$(cat "$file" 2>/dev/null)" = "$(digest "$@")" ]
}

# Remembers that a stage has passed with the content of some files, for the next commit, unless it was skipped:
# STAGE FILE, and the files.
remember() {
    local name=$1 file=$2
    shift 2
    was_skipped "$name" || digest "$@" >"$file"
}

# Installs the packages of the outside levels. A level whose packages are missing says so when it runs.
install_packages() {
    local level
    for level in official openapi webhooks mcp browser clients deployed; do
        tests/$level/run install || true
        touch "$logs/$level-installed"
    done
}

# cargo-deny, built once: without optimisation in half of the time, and it checks within seconds.
deny() {
    local program=${CARGO_TARGET_DIR:-target}/cargo-deny/bin/cargo-deny version=0.20.2
    if [ "$("$program" --version 2>/dev/null)" != "cargo-deny $version" ]; then
        cargo install cargo-deny --locked --debug --version "$version" --root "${program%/bin/*}" || return 1
    fi
    "$program" "$@"
}

# Known faults of dependencies, from a database that changes daily.
advisories() {
    deny fetch db || { echo "advisories: skipped, the database cannot be fetched"; return 0; }
    deny check --disable-fetch advisories
}

# What does not depend on the day: the licences, sources and bans of dependencies.
check_dependencies() {
    stage levels "cargo deny" deny check licenses bans sources &&
        remember "cargo deny" .ci/dependencies.sha256 Cargo.lock .deny.toml
}

# Clippy is the compiler with lints, so it compiles the workspace, and the lints need no pass of their own.
linted() { RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS="${RUSTFLAGS:-} -D warnings" "$@"; }

# Kills and refreshes of many real processes. They need most of a machine: one says how heavy its load was.
processes=(kill::after_any_kill kill::deliveries::after_any_kill kill::erasure::after_any_kill refresh::a_thousand_requests)
# These take three minutes, so they run at night.
slow_processes=(kill::limits::after_any_kill)
process_tests() { linted cargo test --workspace --locked --test gateway -- "${processes[@]}" "$@"; }
# The options of a test program that leave these out.
others=($(printf -- '--skip %s ' "${processes[@]}" "${slow_processes[@]}"))
