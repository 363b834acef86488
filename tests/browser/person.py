"""A person in a browser of their own: what they see and do, and how long it takes without the checks."""

import re
import time

import checks
from hand import HANDS

# How the story is told: the hand, the window, whether scripts run, and the colors.
WAYS = {
    "day": ("mouse", (1440, 900), True, "light"),
    "day-phone": ("finger", (390, 844), True, "dark"),
    "day-keys": ("keys", (1440, 900), True, "light"),
    "day-plain": ("mouse", (1440, 900), False, "light"),
}


class Person:
    # How many screenshots there are of all people.
    shots = 0

    def __init__(self, browser, way, service, screens, email):
        hand, (width, height), scripts, colors = WAYS[way]
        self.way, self.service, self.screens, self.scripts, self.email = way, service, screens, scripts, email
        self.is_phone = hand == "finger"
        # axe is injected into the page, which its policy would refuse.
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, bypass_csp=scripts, color_scheme=colors,
            has_touch=self.is_phone, accept_downloads=True,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.errors, self.wrong, self.aside = [], [], 0.0
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.hand = HANDS[hand](self.page)

    # What they do.

    def sign_in_again(self):
        """Some pages want a sign-in of the last ten minutes, and some forms lead to it. Says whether it was so."""
        if self.has("link", "^Sign in again$"):
            self.follow("^Sign in again$")
        if not self.has("heading", "^One more sign-in"):
            return False
        self.press("^Sign in$")
        self.hand.fill(self.page.get_by_label("E-mail address"), self.email)
        self.press("^Sign in$")
        return True

    def open(self, path=""):
        self.page.goto(path if path.startswith("http") else self.service + "/dashboard" + path)

    def click(self, target):
        self.hand.click(target.first)

    def press(self, name, within=None):
        self.click((within or self.page).get_by_role("button", name=pattern(name)))

    def follow(self, name, within=None):
        self.click((within or self.page).get_by_role("link", name=pattern(name)))

    def unfold(self, name, within=None):
        self.click((within or self.page.locator("main")).locator("summary:visible", has_text=pattern(name)))

    def menu(self, name):
        """Goes to a page of the menu. Its groups may be folded, and on a phone the whole of it is."""
        link = self.page.locator("nav a", has_text=pattern("^" + name)).first
        for _ in range(3):
            if link.is_visible():
                break
            folded = link.locator("xpath=ancestor::details[not(@open)]").locator("> summary")
            self.click(folded.locator("visible=true"))
        self.click(link)

    # What they see.

    @property
    def main(self):
        return self.page.locator("main")

    def text(self):
        return self.main.inner_text()

    def notice(self):
        return self.page.locator(".notice.good, .notice[role=status]").first.inner_text()

    def has(self, role, name):
        return self.page.get_by_role(role, name=pattern(name)).count() > 0

    def section(self, heading):
        return self.page.locator("section", has=self.page.get_by_role("heading", name=pattern(heading)))

    def rows(self, text=None):
        rows = self.page.locator("main table tbody tr")
        return rows.filter(has_text=re.compile(re.escape(text) + r"(?!\d)")) if text else rows

    def settle(self, seconds=100):
        """Waits for the whole page. Without the script it loads itself again, and after that a person does."""
        until = time.monotonic() + seconds
        while self.page.locator("meta[name=goes-on]").count() or self.page.get_by_text("Still waiting for").count():
            assert time.monotonic() < until, self.text()
            self.page.wait_for_timeout(250)
            if time.monotonic() > until - seconds / 2:
                self.page.goto(self.page.url.split("#")[0])

    def look(self, name):
        """Takes a screenshot and checks the page. The story's clock stands still meanwhile."""
        self.settle()
        began = time.monotonic()
        Person.shots += 1
        self.page.screenshot(path="%s/%s-%02d-%s.png" % (self.screens, self.way, Person.shots, name), full_page=True)
        found = checks.problems(self.page, self.is_phone, self.scripts)
        self.wrong += ["%s: %s" % (name, one) for one in found]
        self.aside += time.monotonic() - began


def pattern(name):
    return re.compile(name, re.I) if isinstance(name, str) else name
