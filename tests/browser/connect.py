"""An app asks to work in an account, and a person reads, refuses and allows it: `connect.py READY BROWSER SCREENS`.

The page is read at 320 and 1440 pixels, light and dark, with the script and without; the keyboard alone reaches both answers. The
policy of the page is in force, because it names where a form may lead.
"""

import base64
import hashlib
import http.server
import json
import re
import sys
import threading
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import sync_playwright

import checks
from agent import Agent
from chromium import FLAGS
from hand import Keys
from person import pattern

READY, BROWSER, SCREENS = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
SERVICE = READY["gateway"]
URL = SERVICE + "/v1/mcp"
PHONE = 320
SIZES = ((PHONE, 640), (1440, 900))
# Contrasts hardly depend on the size.
LOOKS = ((SIZES[0], "light"), (SIZES[0], "dark"), (SIZES[1], "light"))
# Its document is known here, so that no machine of another company is asked.
CLAUDE_CODE = "https://claude.ai/oauth/claude-code-client-metadata"
HOSTILE = '"><script>document.title="owned"</script><b>'
VERIFIER = "v" * 43

# Whether an outline, a shadow or a border tells where the focus is.
IS_MARKED = """() => {
    const style = element => {
        const of = getComputedStyle(element);
        return [of.outlineStyle === "none" || of.outlineWidth === "0px" ? "" : of.outline, of.boxShadow, of.borderColor].join();
    };
    const at = document.activeElement, marked = style(at);
    at.blur();
    const plain = style(at);
    at.focus({focusVisible: true});
    return marked !== plain;
}"""


class App:
    """A program that asks: it listens where the answers go."""

    def __init__(self, name):
        self.heard, app = [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/callback"):
                    app.heard.append({name: value for name, value in parse_qs(urlsplit(self.path).query).items()})
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>Back</title><h1>Back in the app</h1>")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.callback = "http://127.0.0.1:%d/callback" % self.server.server_port
        self.id = self.register(name, self.callback)

    @staticmethod
    def register(name, callback):
        return post("/v1/oauth2/register", json.dumps({"client_name": name, "redirect_uris": [callback]}), "application/json")["client_id"]

    def address(self, client=None, callback=None, **more):
        """The address that the app opens."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
        asked = {"response_type": "code", "client_id": client or self.id, "redirect_uri": callback or self.callback}
        asked |= {"code_challenge": challenge, "code_challenge_method": "S256", "state": "s&code=forged", "resource": URL}
        return SERVICE + "/dashboard/connect?" + urlencode(asked | {"scope": "campaigns offline_access"} | more)

    def answer(self):
        """What has come back last, which names the issuer and the state."""
        answer = self.heard.pop()
        assert not self.heard, self.heard
        assert answer.pop("iss") == [SERVICE] and answer.pop("state") == ["s&code=forged"], answer
        return answer

    def agent(self, code):
        """The tools, for the token of a code."""
        sent = {"grant_type": "authorization_code", "code": code, "client_id": self.id, "redirect_uri": self.callback}
        token = post("/v1/oauth2/token", urlencode(sent | {"code_verifier": VERIFIER, "resource": URL}), "application/x-www-form-urlencoded")
        return Agent({"url": URL, "headers": {"Authorization": "Bearer " + token["access_token"]}})


class Reader:
    """A person in a browser of their own."""

    # How many pages were looked at.
    looks = 0

    def __init__(self, browser, name, scripts=True):
        self.context = browser.new_context(java_script_enabled=scripts, has_touch=not scripts)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.name, self.has_axe, self.wrong = name, scripts, []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def open(self, address):
        return self.page.goto(address if address.startswith("http") else SERVICE + "/dashboard" + address)

    def button(self, name):
        return self.page.get_by_role("button", name=pattern(name))

    def field(self, name, value=None):
        return self.page.locator("main [name=%s]" % name + ("" if value is None else "[value=%s]" % value))

    def press(self, name):
        with self.page.expect_navigation():
            self.button(name).first.click()

    def sign_in(self, email):
        self.press("^Sign in$")
        self.page.get_by_label("E-mail address").fill(email)
        self.press("^Sign in$")

    def look(self, name):
        """Checks the page at each size, and its colors where axe sees them."""
        Reader.looks += 1
        assert self.page.title() != "owned", "a name of an app ran as a script"
        for (width, height), colors in LOOKS if self.has_axe else LOOKS[::2]:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=colors)
            # Sizes do not depend on the colors.
            found = checks.problems(self.page, width == PHONE, False) if colors == "light" else []
            found += checks.axe(self.page) if self.has_axe else []
            self.wrong += ["%s, %s, %d %s: %s" % (self.name, name, width, colors, one) for one in found]
            path = "%s/connect-%02d-%s-%s-%d-%s.png" % (SCREENS, Reader.looks, self.name, name, width, colors)
            self.page.screenshot(path=path, full_page=True)

    def leave(self, app, name):
        """Answers, and comes back to the app."""
        self.press(name)
        assert self.page.url.startswith(app.callback), self.page.url
        return app.answer()


def read(me, app, email):
    """Reads every state of the page."""
    me.open(app.address())
    me.look("sign-in")
    me.sign_in(email)
    if not me.field("may").count():
        me.look("no-account")
        me.open("/connections")
        me.press("^Connect Google Ads")
        me.press("^Approve$")
        me.open(app.address())
    assert "Judge" in me.page.inner_text("main"), me.page.inner_text("main")
    me.look("loopback")
    # Where nothing is chosen the page says so, and the choices stay.
    for box in me.field("connections").all():
        box.uncheck()
    me.field("may", "campaigns").check()
    me.field("daily").fill("5,000")
    me.press("^Allow")
    assert me.page.title().startswith("Error: ") and me.page.locator("main .error").count(), me.page.title()
    assert me.field("daily").input_value() == "5,000" and me.field("may", "campaigns").is_checked(), "the choices are gone"
    me.look("errors")
    me.open(app.address(App.register("Claude", "https://evil.example/cb"), "https://evil.example/cb"))
    assert me.page.get_by_role("alert").count() == 1, "an app with the name of another one"
    me.look("imitation")
    me.open(app.address(CLAUDE_CODE))
    assert "claude.ai" in me.page.inner_text("main"), me.page.inner_text("main")
    me.look("document")
    me.open(app.address(callback="http://127.0.0.1:9/other"))
    assert me.page.url.startswith(SERVICE) and not me.button("^Allow").count(), "another redirect URI is refused here"
    me.look("not-connected")
    me.open("/connect/consent")


def answer(me, app, does):
    """Refuses and allows by hand, and finds the assistant among the agents."""
    me.open(app.address())
    assert me.leave(app, "^Refuse") == {"error": ["access_denied"]}
    me.open("/connect/consent")
    assert not me.button("^Allow").count(), "an answer is given once"
    me.open(app.address())
    me.field("may", does).check()
    for box in me.field("connections").all():
        box.check()
    if does == "campaigns":
        me.field("daily").fill("50")
    [code] = me.leave(app, "^Allow").pop("code")
    used(app, code, does)
    me.open("/agents")
    assert me.page.get_by_role("link", name=re.compile("Judge")).count(), me.page.inner_text("main")
    me.look("agents")


def used(app, code, does):
    agent = app.agent(code)
    assert agent.call("list_accounts")["accounts"]
    assert ("create_campaign" in agent.tools()) == (does == "campaigns"), agent.tools()


def by_keys(me, app, email):
    """Signs in by hand, and does the rest by the keyboard alone, at both sizes. The focus is seen at each key."""
    me.open(app.address())
    me.sign_in(email)
    hand = Seen(me.page)
    for (width, height), deed in zip(SIZES, ("Refuse", "Allow")):
        me.page.set_viewport_size({"width": width, "height": height})
        me.open(app.address())
        # Everything on the way is seen as well.
        me.wrong += ["%s at %d: %s" % (deed, width, one) for one in checks.walk(me.page)]
        if deed == "Allow":
            hand.reach(me.field("may", "campaigns"))
            for box in me.field("connections").all():
                if not box.is_checked():
                    hand.tick(box)
            hand.fill(me.field("daily"), "75")
        hand.click(me.button("^%s" % deed).first)
        assert me.page.url.startswith(app.callback), me.page.url
        given = app.answer()
        assert list(given) == (["code"] if deed == "Allow" else ["error"]), given
    used(app, given["code"][0], "campaigns")


class Seen(Keys):
    """The keyboard alone, where each step of the focus leaves a mark."""

    def key(self, name):
        super().key(name)
        if name in ("Tab", "Shift+Tab") and self.page.evaluate("document.activeElement !== document.body"):
            assert self.page.evaluate(IS_MARKED), "nothing marks the focus: " + self.page.evaluate("document.activeElement.outerHTML")


def look_only(owner, me, app, email):
    """A colleague who only looks connects nothing."""
    owner.open("/settings")
    owner.page.get_by_label("For whom").fill("A colleague who looks")
    owner.press("^Create the invitation link")
    me.open(owner.page.locator("#secret").inner_text())
    me.sign_in(email)
    me.open(app.address())
    assert not me.button("^Allow").count() and not me.field("may").count(), me.page.inner_text("main")
    me.look("viewer")
    if me.button("^Refuse").count():
        assert me.leave(app, "^Refuse") == {"error": ["access_denied"]}


def post(path, body, kind):
    request = urllib.request.Request(SERVICE + path, body.encode(), {"Content-Type": kind})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def main():
    app, email = App("Judge " + HOSTILE), "connect@example.com"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        scripted, plain = Reader(browser, "js"), Reader(browser, "plain", scripts=False)
        keys, viewer = Reader(browser, "keys"), Reader(browser, "viewer")
        read(scripted, app, email)
        read(plain, app, email)
        answer(plain, app, "read")
        answer(scripted, app, "campaigns")
        by_keys(keys, app, email)
        look_only(scripted, viewer, app, "viewer@example.com")
        wrong = [one for reader in (scripted, plain, keys, viewer) for one in reader.wrong]
        browser.close()
    for one in wrong:
        print("browser: connect: wrong: " + one)
    print("browser: connect: read, refused and allowed, %d wrong" % len(wrong))
    sys.exit(1 if wrong else 0)


main()
