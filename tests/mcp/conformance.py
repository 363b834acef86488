"""Runs the scenarios of the conformance suite that apply: `conformance.py NODE MODULES AGENT RESULTS`."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from proxy import Proxy

NODE, MODULES, RESULTS = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[4])
AGENT = json.loads(Path(sys.argv[3]).read_text())
HERE = Path(__file__).parent
OLD = ["server-initialize", "ping", "tools-list"]
NEW = [
    "server-stateless",
    "tools-list",
    "caching",
    "http-header-validation",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
]
SCENARIOS = {
    ("conformance-old", "2025-11-25"): [*OLD, "dns-rebinding-protection"],
    ("conformance-new", "2025-06-18"): OLD,
    ("conformance-new", "2025-11-25"): [*OLD, "dns-rebinding-protection", "server-session-lifecycle"],
    ("conformance-new", "2026-07-28"): NEW,
}


def suite(package: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [NODE, MODULES / "node_modules" / package / "dist" / "index.js", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)


def require_known(package: str) -> None:
    """A scenario that does not run is in README.md, with its reason."""
    listed = suite(package, "list", "--server")
    names = re.findall(r"^  - ([\w-]+)", listed.stdout, re.MULTILINE)
    run = {name for (runner, _), scenarios in SCENARIOS.items() if runner == package for name in scenarios}
    text = (HERE / "README.md").read_text()
    unknown = [name for name in names if name not in run and f"`{name}`" not in text]
    assert run <= set(names) and not unknown, f"{package} has other scenarios: {unknown or listed.stdout}"


def failures(package: str, version: str, scenario: str, url: str) -> str:
    """What is wrong with a scenario: a failed check that is not expected, a warning, or nothing that was checked."""
    folder = RESULTS / package / version / scenario
    arguments = ["server", "--url", url, "--scenario", scenario, "--spec-version", version, "--output-dir", str(folder)]
    if package == "conformance-new":
        arguments += ["--expected-failures", str(HERE / "expected-failures.yml")]
    outcome = suite(package, *arguments)
    if outcome.returncode:
        return outcome.stdout
    checks = [check for file in folder.glob("*/checks.json") for check in json.loads(file.read_text())]
    warnings = [f"{one['id']}: {one.get('errorMessage')}" for one in checks if one["status"] == "WARNING"]
    return "\n".join(warnings) if checks else outcome.stdout


shutil.rmtree(RESULTS, ignore_errors=True)
url = Proxy(AGENT["url"], AGENT["api_key"]).url
failed = False
for package in ("conformance-old", "conformance-new"):
    require_known(package)
for (package, version), scenarios in SCENARIOS.items():
    number = json.loads((MODULES / "node_modules" / package / "package.json").read_text())["version"]
    wrong = {name: found for name in scenarios if (found := failures(package, version, name, url))}
    for name, found in wrong.items():
        print(f"conformance {number}, {version}, {name}:\n{found}")
    passed = [name for name in scenarios if name not in wrong]
    print(f"conformance {number}, {version}: {len(passed)} of {len(scenarios)} scenarios passed: {', '.join(passed)}")
    failed = failed or bool(wrong)
sys.exit(failed)
