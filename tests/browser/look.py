"""Every page of the dashboard at three widths, light and dark, empty, filled and with two failing platforms: `look.py READY BROWSER SCREENS`.

It takes a screenshot of each, and prints what is wrong: what axe-core finds, what is wider than the window or lies on its neighbour, what a
thumb cannot hit at 390 pixels, where the focus is hidden, and a page that weighs more than 60 KB. The time to the first byte is printed.

`PAGES=campaigns,home look.py …` looks at some pages alone.
"""

import json
import os
import pathlib
import re
import sys
import urllib.parse

from playwright.sync_api import sync_playwright

import checks
import filled
from chromium import FLAGS

SIZES = ((1440, 900), (1920, 1080), (390, 844))
COLORS = ("light", "dark")
PHONE = 390
MOST_BYTES = 60_000
FIRST_BYTE_MS = 50
ROUTES = pathlib.Path(__file__).parents[2] / "functions/dashboard/src"
# Routes that are no pages of their own: files, and the way back from the sign-in.
NO_PAGES = re.compile("/csv$|/callback$|/connect$|/connect/consent$")
# Of what waits for a form to be sent, and is reached by it.
BY_FORM = {"/campaigns/preview", "/campaigns/change/preview"}


def routes():
    """The addresses of all pages, as the program has them."""
    addresses = dict(re.findall(r'const (\w+): &str = "(/dashboard[^"]*)"', (ROUTES / "kit/addresses.rs").read_text()))
    table = (ROUTES / "pages/routes.rs").read_text()
    found = re.findall(r'\(\s*"GET",\s*("[^"]+"|\w+),', table)
    paths = [one.strip('"') if one.startswith('"') else addresses[one] for one in found]
    return [path.removeprefix("/dashboard") for path in paths if not NO_PAGES.search(path)]


def queries(account, hooks):
    """What the address of a page has beside its path, where it needs something. A page may be looked at in several forms."""
    one, raised = account.fast["id"], [campaign["id"] for campaign in account.raised[:3]]
    ids = "&".join("ids=" + each for each in raised)
    connection = account.connections[0]["id"]
    name = urllib.parse.quote
    return {
        "/campaigns": ["", "sort=-today", "status=NOT_RUNNING", "status=TOO_FAST", "edit=" + one, "q=nothing+fits", "rows=50"],
        "/campaigns/one": ["id=" + one, "id=" + account.spent_month["id"], "id=%s&days=90" % raised[0]],
        "/campaigns/many": ["do=budgets&" + ids, "do=activate&" + ids, "do=budget&percent=%2B10&" + ids],
        "/campaigns/outcome": ["id=" + account.change],
        "/campaigns/status": ["id=" + account.bulk],
        "/campaigns/new": ["", "like=" + one],
        "/connections/remove": ["id=" + connection],
        "/keys/one": ["id=" + account.agent["id"], "id=%s&since=all&wait=all" % account.agent["id"]],
        "/agents/limit": ["id=" + account.agent["id"]],
        "/approvals/one": ["id=" + account.approval],
        "/activity": ["", "api_key_id=" + account.agent["id"]],
        "/insights": ["", "days=90", "by=campaign"],
        "/users/one": ["external_ref=" + name("shop:42")],
        "/users/limit": ["external_ref=" + name("shop:42")],
        "/webhooks/one": ["id=" + hooks["id"]],
    }


class Look:
    def __init__(self, browser, service, sandbox, screens):
        self.service, self.sandbox, self.screens = service, sandbox, screens
        self.context = browser.new_context(bypass_csp=True, has_touch=False)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong, self.shots = [], 0
        self.only = [one for one in os.environ.get("PAGES", "").split(",") if one]

    def look(self, state, path):
        name = "%s-%s" % (state, re.sub("[^a-z0-9]+", "-", path.lower().split("&ids")[0]).strip("-")[:60] or "home")
        self.look_at(name, self.service + "/dashboard" + path)

    def look_at(self, name, address):
        """Looks at a page at each size, in both colors. It is loaded once, because a narrow window is the same page."""
        if self.only and not any(word in name for word in self.only):
            return
        found = []
        self.page.set_viewport_size({"width": 1440, "height": 900})
        answer = self.page.goto(address)
        if answer.status >= 400 and not name.startswith("wrong"):
            found.append("answers %d" % answer.status)
        checks.settle(self.page, 120)
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            for colors in COLORS:
                self.page.emulate_media(color_scheme=colors)
                self.page.screenshot(path="%s/%s-%d-%s.png" % (self.screens, name, width, colors), full_page=True)
                self.shots += 1
                is_first = colors == COLORS[0]
                # Sizes do not depend on the colors, and contrasts hardly on the size.
                problems = checks.problems(self.page, width == PHONE) if is_first else checks.axe(self.page)
                found += ["%d %s: %s" % (width, colors, one) for one in problems]
            if width != 1920:
                found += ["%d: %s" % (width, one) for one in checks.walk(self.page)]
        weight = self.page.evaluate(checks.WEIGHT)
        if weight > MOST_BYTES and "rows=50" not in address:
            found.append("%d bytes" % weight)
        print("look: %-64s %3d wrong, %6d bytes" % (name, len(found), weight), flush=True)
        for one in found:
            print("look:     " + one, flush=True)
        self.wrong += found

    def time(self, path):
        first = checks.first_byte(self.page, self.service + "/dashboard" + path)
        slow = "  (above %d)" % FIRST_BYTE_MS if first > FIRST_BYTE_MS else ""
        print("look: first byte of %-32s %5.0f ms%s" % (path or "/", first, slow), flush=True)

    def previews(self):
        """The pages that a form leads to."""
        page = self.page
        page.goto(self.service + "/dashboard/campaigns/new")
        # With so many ad accounts a person chooses some first.
        page.locator("#accounts input").first.check()
        page.locator("form:has(#accounts) > button").click()
        self.look_at("form-new", page.url)
        page.get_by_label("Name", exact=True).fill("Looked at")
        page.locator("input[name=targets]").first.check()
        page.locator("input[name^='budget_amount.']").first.fill("55.00")
        self.preview("form-preview")
        page.goto("%s/dashboard/campaigns/one?id=%s" % (self.service, self.account.fast["id"]))
        page.locator("section[aria-labelledby=change] summary").click()
        page.locator("#name").fill("Looked at")
        self.preview("form-change-preview")

    def preview(self, name):
        self.page.get_by_role("button", name="Preview", exact=True).first.click()
        self.page.wait_for_url("**/preview**")
        self.look_at(name, self.page.url)

    def add_more(self):
        """What the story of the day does not need: a user, an endpoint of webhooks, a bulk change, and ids of changes."""
        account = self.account
        first = account.connections[0]["id"]
        account.api("PATCH", "/connections/" + first, {"external_ref": "shop:42"})
        account.api("PUT", "/users/shop:42", {"label": "Corner shop"})
        hooks = account.api("POST", "/webhook-endpoints", {"url": "http://127.0.0.1:9/hooks", "description": "Shop", "types": ["*"]})
        ids = [campaign["id"] for campaign in account.raised[-2:]]
        bulk = account.api("POST", "/campaigns/status", {"status": "PAUSED", "ids": ids}, once="look-bulk")
        account.bulk = bulk["bulk_id"]
        waiting = filled.get(self.service + "/v1/changes?state=awaiting_approval", account.key)["changes"]
        account.approval = waiting[0]["id"]
        account.change = filled.get(self.service + "/v1/changes?limit=1", account.key)["changes"][0]["id"]
        return hooks

    def tell(self):
        self.look("out", "/sign-in")
        filled.sign_up(self.page, self.service, "empty@example.com")
        paths = [path for path in routes() if path != "/sign-in"]
        bare = [path for path in paths if not re.search("/one|/many|/outcome|/status|/remove|/limit|/preview", path)]
        for path in bare:
            self.look("empty", path)
        self.context.clear_cookies()
        self.account = filled.begin(self.page, self.service, self.sandbox, "look@example.com")
        known = queries(self.account, self.add_more())
        missing = set(known) - set(paths)
        assert not missing, "no such pages: %s" % missing
        for path in paths:
            if path not in BY_FORM:
                for query in known.get(path, [""]):
                    self.look("filled", path + ("?" + query if query else ""))
        self.previews()
        self.look("wrong", "/nowhere")
        for path in bare:
            self.time(path)
        self.account.stand_still()
        self.account.revoke("beta_ads")
        self.account.fail()
        self.page.goto(self.service + "/dashboard/campaigns?read=now")
        for path in ("", "/campaigns", "/campaigns?status=NOT_RUNNING", "/insights", "/connections", "/campaigns/new", "/approvals"):
            self.look("failing", path)
        if "/months" in paths:
            self.look("failing", "/months")
        self.account.fail(on=False)


def main():
    ready, chromium, screens = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
    service, sandbox = ready["gateway"].removesuffix("/v1"), ready["sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        look = Look(browser, service, sandbox, screens)
        look.tell()
        print("browser: look: %d screenshots, %d wrong" % (look.shots, len(look.wrong)))
        browser.close()
    sys.exit(1 if look.wrong else 0)


if __name__ == "__main__":
    main()
