"""Deploys versions of the service as one stack, and stops each update between the changes of roles and of functions.

CloudFormation changes roles before the functions that use them. On AWS seconds pass in between; the emulator does both
at once. A wait condition makes the time between them as long as a test needs.
"""

import itertools
import json
import os
import subprocess
import time

from stack import CLOUD, STACK, aws, fail

DEPLOYMENTS = itertools.count(1)
TIMEOUT_S = 300


class Version:
    """A version: its template for the emulator, with the programs of the functions."""

    def __init__(self, name, template):
        self.name = name
        with open(template) as file:
            self.template = file.read()

    def write(self, path, hold):
        """Writes the template, with a hold if it has a name."""
        template = json.loads(self.template)
        resources = template["Resources"]
        if hold:
            permissions = [name for name, one in resources.items() if one["Type"].startswith("AWS::IAM::")]
            for function in (one for one in resources.values() if one["Type"] == "AWS::Serverless::Function"):
                others = function.get("DependsOn", [])
                function["DependsOn"] = [hold] + ([others] if isinstance(others, str) else others)
            resources[hold] = {
                "Type": "AWS::CloudFormation::WaitCondition",
                "DependsOn": permissions,
                "CreationPolicy": {"ResourceSignal": {"Count": 1, "Timeout": f"PT{TIMEOUT_S}S"}},
            }
        with open(path, "w") as file:
            json.dump(template, file)


def deploy(version, while_held=None):
    """Deploys a version. Calls `while_held` after the roles have changed and before the functions change."""
    number = next(DEPLOYMENTS)
    path = f"{os.environ['WORK']}/deployment-{number}"
    hold = f"Hold{number}" if while_held else None
    version.write(path + ".json", hold)
    command = [os.environ["SAM"], "deploy", "--template", path + ".json", "--stack-name", STACK, "--resolve-s3"]
    command += ["--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset"]
    command += ["--parameter-overrides", "PublicBaseUrl=https://ads.example.com"]
    with open(path + ".log", "w") as log:
        process = subprocess.Popen(
            command, env={**os.environ, "AWS_ENDPOINT_URL": CLOUD}, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        if hold:
            check_while_held(hold, process, while_held)
        failed = process.wait(TIMEOUT_S)
    finally:
        process.kill()
    if failed:
        with open(path + ".log") as log:
            fail(f"sam deploy of {version.name} failed:\n{log.read()[-4000:]}")


def check_while_held(hold, process, check):
    """Runs a check at the hold, and lets the update go on, or end if the check fails."""
    await_hold(hold, process)
    status = "FAILURE"
    try:
        check()
        status = "SUCCESS"
    finally:
        aws("cloudformation").signal_resource(
            StackName=STACK, LogicalResourceId=hold, UniqueId="checked", Status=status
        )


def await_hold(hold, process):
    for _ in range(TIMEOUT_S * 5):
        if any(event["LogicalResourceId"] == hold for event in events()):
            return
        if process.poll() is not None:
            fail(f"sam deploy ended before {hold}")
        time.sleep(0.2)
    fail(f"the update does not reach {hold}")


def events():
    """The events of the stack; none before it exists."""
    try:
        pages = aws("cloudformation").get_paginator("describe_stack_events").paginate(StackName=STACK)
        return [event for page in pages for event in page["StackEvents"]]
    except Exception as error:
        if "does not exist" in str(error):
            return []
        raise


def switches(since):
    """The times, in seconds, between which CloudFormation updated each function."""
    begun, found = {}, []
    for event in sorted(events(), key=lambda event: event["Timestamp"]):
        if event["ResourceType"] != "AWS::Lambda::Function" or event["Timestamp"].timestamp() < since:
            continue
        name, at = event["LogicalResourceId"], event["Timestamp"].timestamp()
        if event["ResourceStatus"] == "UPDATE_IN_PROGRESS":
            begun[name] = at
        elif event["ResourceStatus"] == "UPDATE_COMPLETE" and name in begun:
            found.append((begun.pop(name), at))
    return found


def restart_functions():
    """Ends the processes of every function, as an operator does after a change of a secret."""
    pages = aws("cloudformation").get_paginator("list_stack_resources").paginate(StackName=STACK)
    client = aws("lambda")
    for resource in (one for page in pages for one in page["StackResourceSummaries"]):
        if resource["ResourceType"] == "AWS::Lambda::Function":
            name = resource["PhysicalResourceId"]
            # The emulator restarts a function for a timeout, though it is the same; AWS for any change.
            timeout = client.get_function_configuration(FunctionName=name)["Timeout"]
            client.update_function_configuration(FunctionName=name, Timeout=timeout)
