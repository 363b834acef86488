"""A person who signs in for an assistant, without a script: it reads the pages, and knows the names of the fields it fills in.

`person.py ADDRESS SERVICE SANDBOX EMAIL look|change` opens the address that an assistant shows, says what it may do, and prints
where the answer goes. `person.py join READY PEOPLE GATEWAY DATA` lets a new person join the customer of a gateway.
"""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit


class Forms(HTMLParser):
    """The forms of a page: where each goes, its fields as they are, and its buttons."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.text, self.button, self.choice, self.skip = [], "", None, None, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        if tag == "form":
            self.forms.append({"action": of.get("action"), "method": of.get("method", "get"), "fields": [], "buttons": {}, "rest": {}})
        if tag in ("script", "style"):
            self.skip = True
        if not self.forms or "disabled" in of:
            return
        form, name = self.forms[-1], of.get("name")
        if tag == "input" and name:
            value = of.get("value", "on" if of.get("type") in ("checkbox", "radio") else "")
            if of.get("type") in ("checkbox", "radio") and "checked" not in of:
                form["rest"].setdefault(name, []).append(value)
            else:
                form["fields"].append((name, value))
        elif tag == "select" and name:
            self.choice = name
        elif tag == "option" and self.choice and ("selected" in of or all(self.choice != one for one, _ in form["fields"])):
            form["fields"] = [one for one in form["fields"] if one[0] != self.choice] + [(self.choice, of.get("value", ""))]
        elif tag == "button":
            self.button = (name, of.get("value", ""), "")

    def handle_endtag(self, tag):
        if tag == "button" and self.button and self.forms:
            name, value, text = self.button
            self.forms[-1]["buttons"][" ".join(text.split())] = (name, value)
            self.button = None
        if tag == "select":
            self.choice = None
        if tag in ("script", "style"):
            self.skip = False

    def handle_data(self, data):
        if self.button:
            self.button = (*self.button[:2], self.button[2] + data)
        if not self.skip:
            self.text += data


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Follows links within the service and the sandbox, and keeps their cookies. It stops at any other address."""

    def __init__(self, *homes):
        self.homes = {urlsplit(home).netloc for home in homes}
        self.opener = urllib.request.build_opener(Stays)
        self.cookies, self.address, self.page, self.left = {}, None, None, None

    def open(self, address, data=None):
        """Opens an address; `left` is where a redirect leaves the service."""
        self.left = None
        for _ in range(15):
            home = urlsplit(address).netloc
            if home not in self.homes:
                self.left = address
                return self
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.get(home, {}).items())}
            headers["Sec-Fetch-Site"] = "same-origin"
            headers["Origin"] = "http://" + home
            request = urllib.request.Request(address, data, headers, method="GET" if data is None else "POST")
            try:
                response = self.opener.open(request, timeout=60)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                for cookie in response.headers.get_all("Set-Cookie") or []:
                    name, value = cookie.split(";")[0].split("=", 1)
                    jar = self.cookies.setdefault(home, {})
                    jar[name] = value
                    if "max-age=0" in cookie.lower().replace(" ", ""):
                        del jar[name]
                if response.status in (301, 302, 303, 307):
                    address, data = urljoin(address, response.headers["Location"]), None
                    continue
                text = response.read().decode()
            assert response.status == 200, f"{address}: {response.status}\n{Forms(text).text}"
            self.address, self.page = address, Forms(text)
            return self
        raise AssertionError(f"{address}: too many redirects")

    def form(self, button):
        found = [form for form in self.page.forms if any(name.startswith(button) for name in form["buttons"])]
        assert found, f"{self.address}: no button {button}\n{self.page.text}"
        return found[0]

    def has(self, button):
        return any(name.startswith(button) for form in self.page.forms for name in form["buttons"])

    def press(self, button, **values):
        """Sends the form of a button, with these values in place of its own. A list is several ticks; `None` is none."""
        form = self.form(button)
        fields = [(name, value) for name, value in form["fields"] if name not in values]
        for name, value in values.items():
            known = name in form["rest"] or any(one == name for one, _ in form["fields"])
            assert known, f"{self.address}: no field {name}: {form}"
            fields += [(name, one) for one in (value if isinstance(value, list) else [value]) if one is not None]
        [pressed] = [form["buttons"][name] for name in form["buttons"] if name.startswith(button)][:1]
        if pressed[0]:
            fields.append(pressed)
        address = urljoin(self.address, form["action"] or self.address)
        if form["method"].lower() == "get":
            return self.open(address + "?" + urlencode(fields))
        return self.open(address, urlencode(fields).encode())

    def sign_in(self, email):
        """Signs in where a page asks for it, also once more where a page wants a recent sign-in."""
        for _ in range(4):
            if self.left or self.has("Sign in as") or not self.has("Sign in"):
                break
            form = self.form("Sign in")
            is_issuer = any(name == "email" for name, _ in form["fields"])
            self.press("Sign in", **({"email": email} if is_issuer else {}))
        return self


def consent(browser, address, email, may_change):
    """Opens the address of an assistant, signs in, and allows it. Returns where the answer goes."""
    browser.open(address).sign_in(email)
    assert browser.left is None, f"the page sends the browser away: {browser.left}"
    form = browser.form("Allow")
    ticked = [value for name, value in form["fields"] if name == "connections"]
    values = {"may": "campaigns" if may_change else "read", "connections": ticked + form["rest"].get("connections", [])}
    if may_change:
        values["daily"] = "500"
    browser.press("Allow", **values)
    assert browser.left, f"{browser.address}: the answer does not leave\n{browser.page.text}"
    return browser.left


def join(ready, gateway, data):
    """A new person joins the customer of a running gateway by an invitation of its operator."""
    service, email = ready["gateway"], "ada@example.com"
    command = [gateway, "admin", "--data", data, "invite", "--customer", ready["customer_id"], "--url", service]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    browser = Browser(service, ready["sandbox"])
    browser.open(re.search(r"http\S+", told)[0]).sign_in(email)
    assert browser.address.startswith(service + "/dashboard"), browser.address
    return {"service": service, "sandbox": ready["sandbox"], "email": email}


if __name__ == "__main__":
    if sys.argv[1] == "join":
        people = join(json.loads(Path(sys.argv[2]).read_text()), sys.argv[4], sys.argv[5])
        Path(sys.argv[3]).write_text(json.dumps(people))
    else:
        address, service, sandbox, email, what = sys.argv[1:6]
        print(consent(Browser(service, sandbox), address, email, what == "change"))
