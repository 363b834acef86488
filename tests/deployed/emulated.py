"""One function under Lambda's own runtime emulator: `emulated.py EMULATOR BOOTSTRAP EVENT`."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from stack import CLOUD, PREFIX, expect_equal, fail, resource, send


def free_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % taken.getsockname()[1]


def invoke(address, event):
    """Invokes the function; retries until the emulator listens."""
    for _ in range(100):
        try:
            return send("http://" + address, "POST", "/2015-03-31/functions/function/invocations", json.dumps(event))
        except ConnectionRefusedError:
            time.sleep(0.1)
    fail("the emulator does not listen")


def check_log(log):
    """Checks the JSON lines of the log and of the metrics."""
    text = log.read().decode()
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    answered = [line for line in lines if line.get("message") == "answered"]
    expect_equal("statuses in the log", [line["status"] for line in answered], [401, 401])
    invocations = re.findall(r"^START RequestId: (\S+)", text, re.MULTILINE)
    expect_equal("request ids in the log", [line["request_id"] for line in answered], invocations)
    if any(line["duration_ms"] < line["own_ms"] for line in answered):
        fail(f"the log's durations are wrong: {answered}")
    metrics = [line for line in lines if "_aws" in line]
    expect_equal("functions in the metrics", [line["Function"] for line in metrics], ["Campaigns"] * 2)
    namespaces = {one["Namespace"] for line in metrics for one in line["_aws"]["CloudWatchMetrics"]}
    expect_equal("namespace of the metrics", namespaces, {"UnifiedAds/test"})


def main():
    emulator, bootstrap, event = sys.argv[1:]
    with open(event) as file:
        event = json.load(file)
    address, runtime = free_address(), free_address()
    environment = {
        **os.environ,
        "TABLE_NAME": resource("Table"),
        "SECRETS_PREFIX": PREFIX,
        "DYNAMODB_ENDPOINT": CLOUD,
        "SECRETS_MANAGER_ENDPOINT": CLOUD,
        "AWS_REGION": "us-east-1",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "29",
        "METRICS_NAMESPACE": "UnifiedAds/test",
    }
    # By default the emulator listens on every address.
    addresses = ["--runtime-interface-emulator-address", address, "--runtime-api-address", runtime]
    log = tempfile.TemporaryFile()
    process = subprocess.Popen([emulator, *addresses, bootstrap], env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        for path, status in (("/v1/campaigns", 401), ("/v1/campaigns/alpha_1_2", 401)):
            event["rawPath"] = event["requestContext"]["http"]["path"] = path
            response = json.loads(invoke(address, event).text)
            expect_equal(f"status of {path}", response.get("statusCode"), status)
            json.loads(response["body"])
    finally:
        process.terminate()
        process.wait()
    log.seek(0)
    check_log(log)
    print("emulator: campaigns handles events of API Gateway under Lambda's own runtime emulator")


main()
