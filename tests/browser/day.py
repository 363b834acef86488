"""A manager's day with a large account, by clicks: `day.py WAY READY BROWSER SCREENS`. It prints the clicks and seconds of each step.

WAY is `day`, `day-phone`, `day-keys` (the keyboard alone) or `day-plain` (without scripts). BEFORE=1 tells it at the pages of
before: what is done there in another way is done so, and what is not there is said.
"""

import json
import os
import sys
import time

from playwright.sync_api import sync_playwright

import filled
from chromium import FLAGS
from person import Person

# What a person reads and presses.
NAMES = {
    "too fast": "^Spending too fast",
    "all too fast": "^All that spend too fast",
    "since": "^Since yesterday",
    "budget": r"^Budget [\d.,]+ of",
    "save": "^Save",
    "undo": "^Undo",
    "stop or revert": "^Stop or revert",
    "revert": "^Revert what it did",
    "revert all": r"^Revert (\d+|the ticked) campaigns?",
    "months": "^Months$",
    "approve": r"^Approve (\d+|what is ticked)",
    "viewer": "^Viewer",
    "invite": "^Invite",
}


class NotThere(Exception):
    """A page or a part of it that the pages of before do not have."""


class Day:
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
        except NotThere as missing:
            outcome = "not there: %s" % missing
        spent = time.monotonic() - began - (sum(person.aside for person in self.people) - aside)
        deeds = sum(person.hand.deeds for person in self.people) - deeds
        unit = self.manager.hand.unit
        self.steps.append((name, deeds, spent, outcome))
        print("browser: %s: %-46s %4d %s %6.1f s  %s" % (self.way, name, deeds, unit, spent, outcome), flush=True)

    def wrong(self):
        return [one for person in self.people for one in person.wrong + person.errors]

    # The steps.

    def first_minutes(self):
        """From the address of the service to a first campaign: the page itself says what comes next."""
        new = self.person("newcomer")
        new.open()
        new.look("sign-in")
        new.press("Sign in")
        new.hand.fill(new.page.get_by_label("E-mail address"), new.email)
        new.press("Sign in")
        new.look("first-home")
        self.next_step(new)
        new.press("^Connect Google Ads")
        new.press("Approve")
        new.look("first-connected")
        new.menu("Home")
        self.next_step(new)
        self.to_create(new)
        new.look("first-create")
        new.hand.fill(new.page.get_by_label("Name", exact=True), "My first campaign")
        choice = new.page.locator("input[name=targets]").first
        if not choice.is_checked():
            new.hand.tick(choice)
        new.hand.fill(new.page.locator("input[name^='budget_amount.']").first, "25.00")
        new.press("^Create campaign")
        assert new.rows("My first campaign").count() == 1, new.text()
        new.look("first-campaign")
        new.menu("Home")
        new.look("first-next")
        new.context.close()

    def next_step(self, new):
        new.settle()
        new.click(new.page.locator(".steps a.button:not(.quiet)"))

    def to_create(self, new):
        assert new.page.get_by_label("Name", exact=True).count(), "the step leads to the form"

    def since_yesterday(self):
        me = self.manager
        me.open()
        me.settle()
        me.look("home")
        part = me.section(NAMES["since"])
        line = part.locator("li", has_text=filled.AGENT).first.inner_text()
        added = filled.WILD * filled.RAISE
        assert str(added) in line.replace(",", "").split(".")[0], line
        return "%s: +%d USD a day" % (filled.AGENT, added)

    def lower(self):
        """Home names it; its budget is lowered in its row."""
        me, name = self.manager, self.account.fast["name"]
        me.menu("Home")
        me.settle()
        line = me.section(NAMES["too fast"]).locator("li", has_text=name).first.inner_text()
        assert "182" in line, line
        me.follow(NAMES["all too fast"])
        me.settle()
        me.look("too-fast")
        row = me.rows(name)
        me.press(NAMES["budget"], row)
        me.look("too-fast-budget")
        me.hand.fill(me.rows(name).locator("[name=budget_amount]"), "120")
        me.press(NAMES["save"], me.rows(name))
        assert "Saved: budget" in me.notice(), me.notice()
        self.is_budget(self.account.fast, "120.00")
        me.look("too-fast-lowered")

    def is_budget(self, campaign, amount):
        assert self.account.books()[campaign["name"]]["budget"] == amount, campaign["name"]

    def pause(self):
        """Four that run at Pinterest are ticked and paused at once."""
        me = self.manager
        me.menu("Campaigns")
        me.settle()
        me.look("campaigns")
        self.filter("Platform", "Pinterest")
        self.filter("Status", "Active")
        me.press("^Show$")
        me.settle()
        self.paused = [me.rows().nth(number).get_by_role("link").first.inner_text() for number in range(4)]
        for number in range(4):
            me.hand.tick(me.rows().nth(number).get_by_role("checkbox"))
        me.look("four-ticked")
        self.do_pause(me)
        books = self.account.books()
        self.account.wait_until("four are paused", lambda: not any(map(self.runs, self.paused)))
        assert len(self.paused) == 4 and all(name in books for name in self.paused)
        me.look("four-paused")

    def do_pause(self, me):
        me.press("^Pause$", me.page.locator("form#bulk"))

    def filter(self, name, choice):
        """Chooses in a filter, which a phone has folded."""
        me, field = self.manager, self.manager.page.locator("form.filters").get_by_label(name)
        if not field.is_visible():
            me.unfold("^Filter")
        me.hand.choose(field, choice)

    def runs(self, name):
        return filled.is_running(self.account.books()[name])

    def undo(self):
        """In Activity each change has its own way back."""
        me, name = self.manager, self.paused[0]
        me.menu("Activity")
        me.look("activity")
        me.press(NAMES["undo"], me.rows(name).first)
        self.account.wait_until(name + " runs again", lambda: self.runs(name))
        assert not any(map(self.runs, self.paused[1:])), "the others stay paused"
        me.look("undone")

    def stop_agent(self):
        """Home names the agent and leads to its stop."""
        me = self.manager
        me.menu("Home")
        me.settle()
        me.follow(NAMES["stop or revert"], me.section(NAMES["since"]).locator("li", has_text=filled.AGENT))
        return self.press_stop()

    def press_stop(self):
        me = self.manager
        row = me.rows(filled.AGENT).first
        me.unfold("^Stop", row)
        me.look("agent-stop")
        me.press("^Stop", row)
        began = time.monotonic()
        names = [campaign["name"] for campaign in self.account.raised]
        self.account.wait_until("all that it raised is paused", lambda: not any(map(self.runs, names)))
        told = "all %d paused %.0f s after the click" % (len(names), time.monotonic() - began)
        me.look("agent-stopped")
        return told

    def revert(self):
        """One page shows what was before, and one button brings it back."""
        me = self.manager
        me.follow(NAMES["revert"])
        me.settle()
        me.sign_in_again()
        me.look("revert")
        assert all(campaign["name"] in me.text() for campaign in self.account.raised), me.text()
        me.press(NAMES["revert all"])
        self.account.wait_until("all have their budgets and run", self.is_reverted, 180)
        me.look("reverted")

    def is_reverted(self):
        books = self.account.books()
        return all(
            filled.is_running(books[one["name"]]) and books[one["name"]]["budget"] == "%d.00" % one["budget"]
            for one in self.account.raised
        )

    def approve(self):
        me = self.manager
        me.menu("Approvals")
        me.sign_in_again()
        me.look("approvals")
        for number in range(filled.WAITING):
            me.hand.tick(me.rows().nth(number).get_by_role("checkbox"))
        me.press(NAMES["approve"])
        self.are_approved()
        me.look("approved")

    def are_approved(self):
        names = [campaign["name"] for campaign in self.account.asked]
        self.account.wait_until("what was approved runs", lambda: all(map(self.runs, names)))

    def month(self):
        """What is spent, expected and coming; and a budget of the month changed where it is seen to be too small."""
        me, name = self.manager, self.account.spent_month["name"]
        me.menu("Months")
        me.settle()
        me.look("months")
        self.account.wait_until("the month is spent", lambda: not self.runs(name), 180)
        me.menu("Months")
        me.settle()
        self.unfold_currency(name)
        row = me.rows(name).first
        assert "goes on 1 " in row.inner_text(), row.inner_text()
        me.follow(name, row)
        me.settle()
        me.look("month-campaign")
        me.hand.fill(me.page.locator("#budget_amount"), "15000")
        me.press("^Save changes")
        assert "15,000" in me.text(), me.text()
        me.look("month-raised")

    def unfold_currency(self, name):
        """A currency that is not the largest may be folded."""
        row = self.manager.rows(name).first
        if not row.is_visible():
            self.manager.click(row.locator("xpath=ancestor::details[1]/summary"))

    def invite(self):
        me = self.manager
        me.menu("Settings")
        me.sign_in_again()
        me.look("settings")
        self.choose_role(me)
        me.press(NAMES["invite"])
        self.link = me.page.locator("#secret").inner_text()
        me.look("settings-invited")

    def choose_role(self, me):
        me.hand.tick(me.page.get_by_role("radio", name=NAMES["viewer"]))

    def look_only(self):
        other = self.person("colleague")
        other.open(self.link)
        other.look("invited")
        other.press("Sign in")
        other.hand.fill(other.page.get_by_label("E-mail address"), other.email)
        other.press("Sign in")
        other.settle()
        other.look("viewer-home")
        other.menu("Campaigns")
        other.settle()
        assert other.rows().count() == 25, other.text()
        self.changes_nothing(other)
        other.look("viewer-campaigns")
        other.context.close()

    def changes_nothing(self, other):
        for name in ("^Pause", "^Activate", "^Save", "New campaign"):
            assert not other.has("button", name) and not other.has("link", name), name
        campaign = self.account.asked[0]
        answer = other.context.request.post(
            self.service + "/dashboard/campaigns/change", form={"id": campaign["id"], "back": "list", "status": "PAUSED"},
            headers={"Origin": self.service},
        )
        assert self.runs(campaign["name"]), "a form of their own changes nothing either: %d" % answer.status

    def billing(self):
        me = self.manager
        me.menu("Billing")
        me.look("billing")
        assert "Enterprise" in me.text() and "renews on" in me.text(), me.text()
        me.press("^Open the billing portal")
        assert me.page.url.startswith(self.sandbox), me.page.url
        me.open("/billing")

    def export(self):
        me = self.manager
        me.menu("Campaigns")
        me.settle()
        lines = me.hand.save(me.page.get_by_role("link", name="Download CSV"))
        named = {line.split(",")[0] for line in lines[1:]}
        assert lines[0].startswith("Name,") and named >= {one["name"] for one in self.account.campaigns}, lines[:2]

    def stand_still(self):
        """One campaign of each platform stands still, each for another cause. The list names them, their pages say why."""
        me, causes = self.manager, self.account.stand_still()
        address = "/campaigns?status=NOT_RUNNING&rows=50"
        # What was read a moment ago is not read again at once.
        for _ in range(30):
            me.open(address + "&read=now")
            me.settle()
            me.open(address)
            main = me.text()
            if all(name in main and line in main for name, (line, _) in causes.items()):
                break
            time.sleep(2)
        me.menu("Home")
        me.settle()
        assert "do not run" in me.text(), me.text()
        me.follow("^All that do not run")
        me.look("stand-still")
        listed = me.page.url
        for name, (line, advice) in causes.items():
            row = me.rows(name).first
            assert line in row.inner_text(), (name, line, row.inner_text())
            me.follow("", row)
            part = me.page.locator("section[aria-labelledby=delivery]").inner_text()
            assert advice in part, (name, advice, part)
            me.look("stand-still-" + name.split()[0].lower())
            me.open(listed)
        self.account.go_on()

    def reconnect(self):
        """One consent brings all accounts of the grant back."""
        me = self.manager
        self.account.revoke("beta_ads")
        me.menu("Connections")
        me.press("^Check all now")
        me.settle()
        assert me.page.locator(".notice:not(.good)").count() >= 1, "broken connections are no success"
        self.one_consent(me)
        me.look("broken")
        me.menu("Home")
        me.settle()
        me.look("broken-home")
        me.menu("Connections")
        me.press("^Reconnect")
        for box in me.page.locator("input[name=account]").all():
            if not box.is_checked() and self.is_mine(box):
                me.hand.tick(box)
        me.press("Approve")
        me.page.wait_for_url("**/dashboard/connections**")
        assert "onnected" in me.page.locator(".notice").first.inner_text(), me.text()
        assert not me.has("button", "^Reconnect"), me.text()
        me.look("mended")

    def one_consent(self, me):
        assert me.page.get_by_role("button", name="Reconnect").count() == 1, "five accounts of a grant are one consent"

    def is_mine(self, box):
        number = box.get_attribute("value").removeprefix("act_")
        return any(one["remote_account_id"].removeprefix("act_") == number for one in self.account.connections)

    def failing(self):
        """The pages come at once, and say what is missing."""
        me, first = self.manager, []
        self.account.fail()
        for path in ("", "/campaigns?read=now", "/insights", "/connections"):
            # The page before it may be about to load itself once more.
            me.page.goto("about:blank")
            began = time.monotonic()
            me.page.goto(self.service + "/dashboard" + path, wait_until="commit")
            first.append(time.monotonic() - began)
            assert first[-1] < 5, "%s took %.1f s" % (path, first[-1])
            me.look("failing-" + (path.strip("/").split("?")[0] or "home"))
        self.account.fail(on=False)
        return "the slowest first byte after %.1f s" % max(first)


def main():
    way, ready, chromium, screens = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3], sys.argv[4]
    service, sandbox = ready["gateway"].removesuffix("/v1"), ready["sandbox"]
    kind = Day
    if os.environ.get("BEFORE"):
        from before import Before as kind
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        day = kind(browser, way, service, sandbox, screens)
        try:
            day.tell()
        except BaseException:
            day.people[-1].page.screenshot(path="%s/%s-error.png" % (screens, way), full_page=True)
            raise
        finally:
            for one in day.wrong():
                print("browser: %s: wrong: %s" % (way, one))
        browser.close()
    if day.wrong() and kind is Day:
        sys.exit(1)


if __name__ == "__main__":
    main()
