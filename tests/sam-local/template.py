"""Writes the template as `sam build` leaves it: `template.py TEMPLATE BUILT OUT`.

BUILT holds the functions that tests/deployed/run has built, so that they are not built twice.
"""

import json
import os
import sys

from samtranslator.yaml_helper import yaml_parse


def main():
    source, built, out = sys.argv[1:]
    with open(source) as file:
        template = yaml_parse(file.read())
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = os.path.join(built, name)
            del resource["Metadata"]
    with open(out, "w") as file:
        json.dump(template, file, indent=1)


main()
