# Sourced by `run` and `upgrade`: the packages, the environment, and the emulators.
. "$(dirname "$0")/../common.sh"

# Two environments, because SAM and the emulator need different versions of the same libraries.
need_python requirements-sam.txt sam
need_python requirements-aws.txt aws
[ "${1:-}" != install ] || exit 0

export SAM_CLI_TELEMETRY=0 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL
sam() { PATH="$work/sam/bin:$PATH" "$work/sam/bin/sam" "$@"; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until something listens on a port of 127.0.0.1.
listening() {
    for _ in $(seq 300); do
        python3 -c "import socket; socket.create_connection(('127.0.0.1', $1), 1)" 2>/dev/null && return
        sleep 0.2
    done
    return 1
}

# Starts a server, whose log has the name of the script: NAME PORT COMMAND...
serve() {
    local server=$1 port=$2
    shift 2
    "$@" >"$work/$name-$server.log" 2>&1 &
    started+=($!)
    listening "$port" || fail "$server does not start:" "$work/$name-$server.log"
}

# Its defaults listen on every address and start further protocols.
serve_ministack() {
    serve ministack "$1" env GATEWAY_PORT="$1" BIND_HOST=127.0.0.1 MINISTACK_HOST=localhost IOT_MTLS_ENABLED=0 \
        SFTP_ENABLED=0 AUTH=true "$work/aws/bin/ministack"
}

# The key that the sandbox accepts as the secret key of the payment provider.
stripe_key() { sed -n "s/.*const KEY: &str = \"\(.*\)\";/\1/p" "$root/infra/sandbox/src/stripe/auth.rs"; }
