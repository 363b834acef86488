"""Leaves what `sam build` leaves, from programs that cargo has built: `built.py TEMPLATE PROGRAMS OUT`.

OUT gets a folder for each function, and a template that names them. The debug information of the programs stays behind:
it is most of their size, and each deployment uploads them.
"""

import json
import os
import shutil
import subprocess
import sys


def main():
    source, programs, out = sys.argv[1:]
    with open(source) as file:
        template = json.load(file)
    shutil.rmtree(out, ignore_errors=True)
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            program = os.path.join(programs, resource.pop("Metadata")["BuildProperties"]["Binary"])
            folder = os.path.join(out, name)
            os.makedirs(folder)
            subprocess.run(["strip", "--strip-debug", "-o", os.path.join(folder, "bootstrap"), program], check=True)
            resource["Properties"]["CodeUri"] = folder
    with open(os.path.join(out, "template.yaml"), "w") as file:
        json.dump(template, file)


main()
