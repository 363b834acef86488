"""Starts the gateway as Containerfile does: `start.py PROGRAM ENTRYPOINT COMMAND HEALTHCHECK FOLDER`.

In a network namespace of its own, whose second address stands for that of a container.
"""

import json
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[5])
ENTRYPOINT, COMMAND, HEALTHCHECK = (json.loads(text) for text in sys.argv[2:5])
# The address of a container on its engine's network.
ADDRESS = "172.17.0.2"


def here(command: list[str]) -> list[str]:
    """The command with the paths of the image replaced by those of this machine."""
    paths = {"/usr/local/bin/gateway": PROGRAM, "/data": str(FOLDER / "data")}
    return [paths.get(word, word) for word in command]


def status(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.status


shutil.rmtree(FOLDER / "data", ignore_errors=True)
(FOLDER / "data").mkdir(parents=True)
for arguments in (["link", "set", "lo", "up"], ["link", "add", "eth0", "type", "veth", "peer", "name", "engine0"]):
    subprocess.run(["ip", *arguments], check=True)
subprocess.run(["ip", "address", "add", f"{ADDRESS}/16", "dev", "eth0"], check=True)
for name in ("eth0", "engine0"):
    subprocess.run(["ip", "link", "set", name, "up"], check=True)
early = subprocess.run(here(HEALTHCHECK), capture_output=True, text=True, timeout=30)
assert early.returncode == 1 and "does not answer" in early.stderr, early
with open(FOLDER / "gateway.log", "w") as log:
    gateway = subprocess.Popen(here(ENTRYPOINT + COMMAND), stdout=log, stderr=log)
try:
    for _ in range(300):
        if subprocess.run(here(HEALTHCHECK), capture_output=True, timeout=30).returncode == 0:
            break
        assert gateway.poll() is None, (FOLDER / "gateway.log").read_text()
        time.sleep(0.1)
    else:
        raise AssertionError((FOLDER / "gateway.log").read_text())
    for url in (f"http://{ADDRESS}:8080/v1/health", f"http://{ADDRESS}:8081/", "http://127.0.0.1:8080/v1/health"):
        assert status(url) == 200, url
    gateway.terminate()
    assert gateway.wait(timeout=20) == 0, "SIGTERM ends it with success"
finally:
    gateway.kill()
print("its commands: the gateway starts, answers at the address of the container, is healthy, and stops")
