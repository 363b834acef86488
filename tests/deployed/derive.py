"""Converts the template for the emulator: `derive.py TEMPLATE ROOT OUT DYNAMODB SANDBOX SECRETS`.

It changes the architecture to that of this machine, and the addresses of AWS and of the platforms. It writes out the
routes, because the emulator does not read them from an `AWS::Serverless::HttpApi`. It removes alarms over several
metrics, which the emulator does not support. Everything else stays as written.
"""

import json
import platform
import sys

from samtranslator.yaml_helper import yaml_parse

EVENT = "HttpApi"
# Properties of an `AWS::Serverless::HttpApi` that SAM moves to its stage.
STAGE_SETTINGS = ["AccessLogSettings", "DefaultRouteSettings", "RouteSettings"]


def reference(name, attribute=None):
    return {"Fn::GetAtt": [name, attribute]} if attribute else {"Ref": name}


def permission(function):
    source = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*"
    return {
        "Type": "AWS::Lambda::Permission",
        "Properties": {
            "Action": "lambda:InvokeFunction",
            "FunctionName": reference(function),
            "Principal": "apigateway.amazonaws.com",
            "SourceArn": {"Fn::Sub": source},
        },
    }


def integration(function):
    uri = "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${%s.Arn}/invocations"
    return {
        "Type": "AWS::ApiGatewayV2::Integration",
        "Properties": {
            "ApiId": reference("Api"),
            "IntegrationType": "AWS_PROXY",
            "IntegrationUri": {"Fn::Sub": uri % function},
            "PayloadFormatVersion": "2.0",
        },
    }


def route(function, event):
    properties = event["Properties"]
    key = "%s %s" % (properties["Method"], properties["Path"]) if "Path" in properties else "$default"
    return {
        "Type": "AWS::ApiGatewayV2::Route",
        "Properties": {
            "ApiId": reference("Api"),
            "RouteKey": key,
            "Target": {"Fn::Sub": "integrations/${%sIntegration}" % function},
        },
    }


def write_out_routes(resources):
    """Replaces the API by an API, a stage, and one route for each event of a function."""
    added = {}
    for name, resource in resources.items():
        if resource["Type"] != "AWS::Serverless::Function":
            continue
        events = resource["Properties"].get("Events", {})
        http_events = [event for event in events if events[event]["Type"] == EVENT]
        for event in http_events:
            added[name + event + "Route"] = route(name, events.pop(event))
        if http_events:
            added[name + "Integration"] = integration(name)
            added[name + "Permission"] = permission(name)
        if not events:
            resource["Properties"].pop("Events", None)
    properties = resources["Api"]["Properties"]
    # SAM writes these into the stage.
    settings = {name: properties.pop(name) for name in STAGE_SETTINGS if name in properties}
    resources["Api"] = {
        "Type": "AWS::ApiGatewayV2::Api",
        "Properties": {"Name": "unified-ads", "ProtocolType": "HTTP", **properties},
    }
    stage = {"ApiId": reference("Api"), "StageName": "$default", "AutoDeploy": True, **settings}
    resources["ApiStage"] = {"Type": "AWS::ApiGatewayV2::Stage", "Properties": stage}
    resources["DomainMapping"]["Properties"]["Stage"] = reference("ApiStage")
    resources.update(added)
    return len([name for name in added if name.endswith("Route")])


def main():
    source, root, out, dynamodb, sandbox, secrets = sys.argv[1:]
    with open(source) as file:
        template = yaml_parse(file.read())
    shared = template["Globals"]["Function"]
    shared["Architectures"] = ["arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"]
    shared["Environment"]["Variables"].update(
        {
            "DYNAMODB_ENDPOINT": dynamodb,
            "SECRETS_MANAGER_ENDPOINT": secrets,
            "PLATFORM_BASE_URL": sandbox + "/{platform}",
            "PLATFORM_SETTINGS": json.dumps({"delta_ads": {"campaign_defaults": {"country": "US", "language": "en"}}}),
            "PAYMENT_BASE_URL": sandbox + "/stripe",
        }
    )
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = root
    # The emulator has no Cognito: the dashboard runs without an issuer.
    resources = template["Resources"]
    for name in [name for name, one in resources.items() if one["Type"].startswith("AWS::Cognito::")]:
        del resources[name]
    dashboard = resources["DashboardFunction"]["Properties"]["Environment"]
    dashboard["Variables"] = {"OIDC_ISSUER": "", "OIDC_CLIENT_ID": ""}
    for name in [name for name, resource in template["Resources"].items() if "Metrics" in resource["Properties"]]:
        del template["Resources"][name]
    routes = write_out_routes(template["Resources"])
    with open(out, "w") as file:
        json.dump(template, file, indent=1)
    print("derived: %d routes" % routes)


main()
