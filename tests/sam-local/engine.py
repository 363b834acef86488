"""Waits for the container engine, and imports the base image: `engine.py ARCHIVE`."""

import platform
import sys
import time

import docker

ARCHITECTURE = "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def client():
    for _ in range(150):
        try:
            return docker.from_env()
        except docker.errors.DockerException:
            time.sleep(0.2)
    sys.exit("engine: it does not answer")


with open(sys.argv[1], "rb") as archive:
    client().api.import_image_from_data(
        archive.read(), repository="public.ecr.aws/lambda/provided", tag=f"al2023-{ARCHITECTURE}"
    )
print("engine: it runs, and has a base image from the files of this machine")
