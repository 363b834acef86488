"""Expands a template as SAM does, without a call to AWS: `expand.py TEMPLATE OUT`.

cfn-lint finds errors in the expanded template that it misses in the short form.
"""

import json
import sys

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def main():
    source, out = sys.argv[1:]
    with open(source) as file:
        template = yaml_parse(file.read())
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            # A placeholder for the upload of `sam deploy`.
            resource["Properties"]["CodeUri"] = "s3://bucket/key"
    session = boto3.session.Session(region_name="us-east-1")
    expanded = Translator({}, Parser(), boto_session=session).translate(template, {})
    with open(out, "w") as file:
        json.dump(expanded, file, indent=1)


main()
