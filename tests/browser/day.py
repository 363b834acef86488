"""A manager's day with a large account, by clicks: `day.py WAY READY BROWSER SCREENS`. It prints the clicks and seconds of each step.

WAY is `day`, `day-phone`, `day-keys` (the keyboard alone) or `day-plain` (without scripts). A step that fails is told, and
the day goes on.
"""

import json
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

import filled
from chromium import FLAGS
from person import Person
from steps_account import Account
from steps_trouble import Trouble
from steps_work import Work


class Day(Account, Work, Trouble):
    """One story: its people, its filled account, and what each step took."""

    def __init__(self, browser, way, service, sandbox, screens):
        self.make = lambda name: Person(browser, way, service, screens, name + "@example.com")
        self.way, self.service, self.sandbox, self.steps, self.people = way, service, sandbox, [], []
        self.manager = self.person("manager")

    def person(self, name):
        person = self.make(name)
        self.people.append(person)
        return person

    def fill(self):
        self.account = filled.begin(self.manager.page, self.service, self.sandbox, self.manager.email)

    def tell(self):
        self.step("the first five minutes", self.first_minutes)
        began = time.monotonic()
        self.fill()
        print("browser: %s: filled in %.0f s" % (self.way, time.monotonic() - began), flush=True)
        self.step("what changed since yesterday", self.since_yesterday)
        self.step("the campaign that spends too fast, lowered", self.lower)
        if self.way == "day-keys":
            self.step("the keys of one letter", self.keys)
        self.step("four paused", self.pause)
        self.step("one of them undone", self.undo)
        self.step("the wild agent found and stopped", self.stop_agent)
        self.step("what it did reverted", self.revert)
        self.step("four approved", self.approve)
        self.step("month's end", self.month)
        self.step("a colleague invited to look", self.invite)
        self.step("the colleague looks, and changes nothing", self.look_only)
        self.step("billing", self.billing)
        self.step("the list saved as a file", self.export)
        self.step("why six do not run", self.stand_still)
        self.step("a revoked grant of several accounts mended", self.reconnect)
        self.step("a look while two platforms fail", self.failing)

    def step(self, name, act):
        aside = sum(person.aside for person in self.people)
        deeds = sum(person.hand.deeds for person in self.people)
        began = time.monotonic()
        try:
            outcome = act() or ""
        except Exception:
            outcome = "failed"
            self.failed(name)
        spent = time.monotonic() - began - (sum(person.aside for person in self.people) - aside)
        deeds = sum(person.hand.deeds for person in self.people) - deeds
        unit = self.manager.hand.unit
        self.steps.append((name, deeds, spent, outcome))
        print("browser: %s: %-46s %4d %s %6.1f s  %s" % (self.way, name, deeds, unit, spent, outcome), flush=True)

    def failed(self, name):
        """Keeps what a step met, and a screenshot of what it saw. The next step begins at the first page."""
        person = next(person for person in reversed(self.people) if not person.page.is_closed())
        person.wrong.append("%s: %s" % (name, traceback.format_exc(limit=-3)))
        person.page.screenshot(path="%s/%s-error-%02d.png" % (person.screens, self.way, len(self.steps) + 1), full_page=True)
        if person is not self.manager:
            person.context.close()
        self.manager.open()

    def wrong(self):
        return [one for person in self.people for one in person.wrong + person.errors]


def main():
    way, ready, chromium, screens = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3], sys.argv[4]
    service, sandbox = ready["gateway"].removesuffix("/v1"), ready["sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        day = Day(browser, way, service, sandbox, screens)
        day.tell()
        for one in day.wrong():
            print("browser: %s: wrong: %s" % (way, one))
        browser.close()
    sys.exit(1 if day.wrong() else 0)


if __name__ == "__main__":
    main()
