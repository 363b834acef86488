# Sourced by `run` and `upgrade`: the packages, the environment, and servers that end with the script.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$root/target/deployed"
started=()

skip() { echo "deployed: skipped, $1"; exit 0; }
fail() { echo "deployed: $1"; [ -z "${2:-}" ] || tail -n 40 "$2"; exit 1; }

stop() { for process in "${started[@]:-}"; do [ -n "$process" ] && kill "$process" 2>/dev/null && wait "$process" 2>/dev/null; done; }
trap stop EXIT
trap 'exit 130' INT TERM

# Runs a command with a time limit; macOS has no `timeout`.
with_timeout() { if command -v timeout >/dev/null; then timeout "$@"; else shift; "$@"; fi; }

# Two environments, because SAM and the emulator need different versions of the same libraries.
packages() {
    local wanted="$here/requirements-$1.txt" venv="$work/$1"
    cmp -s "$wanted" "$venv/requirements.txt" && return
    rm -rf "$venv"
    python3 -m venv "$venv" &&
        with_timeout 600 "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 -r "$wanted" &&
        cp "$wanted" "$venv/requirements.txt"
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until something listens on a port of 127.0.0.1.
listening() {
    for _ in $(seq 300); do
        python3 -c "import socket; socket.create_connection(('127.0.0.1', $1), 1)" 2>/dev/null && return
        sleep 0.2
    done
    return 1
}

# Starts a server; the exit trap stops it: NAME PORT COMMAND...
serve() {
    local name=$1 port=$2
    shift 2
    "$@" >"$work/$name.log" 2>&1 &
    started+=($!)
    listening "$port" || fail "$name does not start:" "$work/$name.log"
}

command -v python3 >/dev/null && python3 -c 'import venv' 2>/dev/null || skip "Python is not installed"
mkdir -p "$work"
packages aws >"$work/install-aws.log" 2>&1 || skip "the packages cannot be installed"
packages sam >"$work/install-sam.log" 2>&1 || skip "the packages cannot be installed"

export PYTHONDONTWRITEBYTECODE=1 NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost
export SAM_CLI_TELEMETRY=0 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL
python="$work/aws/bin/python"
sam() { PATH="$work/sam/bin:$PATH" "$work/sam/bin/sam" "$@"; }

# Its defaults listen on every address and start further protocols.
serve_ministack() {
    serve ministack "$1" env GATEWAY_PORT="$1" BIND_HOST=127.0.0.1 MINISTACK_HOST=localhost IOT_MTLS_ENABLED=0 \
        SFTP_ENABLED=0 AUTH=true "$work/aws/bin/ministack"
}

# The key that the sandbox accepts as the secret key of the payment provider.
stripe_key() { sed -n "s/.*const KEY: &str = \"\(.*\)\";/\1/p" "$root/infra/sandbox/src/stripe/auth.rs"; }
