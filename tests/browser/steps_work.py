"""The day's work on campaigns: what changed, what spends too fast, pauses, the wild agent, approvals and the month."""

import re
import time

import filled
from names import NAMES


class Work:
    """Steps of a `Day`, which has the manager, the account and what was paused."""

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
        """Home names it, and leads to its row, where its budget is lowered. The form comes back to Home."""
        me, name = self.manager, self.account.fast["name"]
        me.menu("Home")
        me.settle()
        line = me.section(NAMES["too fast"]).locator("li", has_text=name).first
        assert "182" in line.inner_text(), line.inner_text()
        me.look("too-fast")
        me.follow(NAMES["lower"], line)
        me.settle()
        amount = me.page.locator("#budget_amount")
        assert amount.evaluate("place => place === document.activeElement"), "the next key changes the budget"
        me.look("too-fast-budget")
        me.hand.fill(me.rows(name).locator("[name=budget_amount]"), "120")
        me.press(NAMES["save"], me.rows(name))
        assert "Saved" in me.notice() and "120.00 USD" in me.notice(), me.notice()
        assert me.page.url.split("#")[0].endswith("/dashboard"), me.page.url
        self.is_budget(self.account.fast, "120.00")
        me.look("too-fast-lowered")

    def is_budget(self, campaign, amount):
        assert self.account.books()[campaign["name"]]["budget"] == amount, campaign["name"]

    def keys(self):
        """Keys of one letter find, tick and change a campaign, rest in a field, and can be turned off."""
        me, key = self.manager, self.manager.hand.key
        has_focus = lambda place: place.evaluate("place => place === document.activeElement")
        search, box = me.page.locator("#filter-search"), me.rows().nth(1).get_by_role("checkbox")
        me.menu("Home")
        key("/")
        me.page.wait_for_url("**/campaigns#filter-search")
        me.settle()
        me.page.keyboard.type("jx/")
        assert has_focus(search) and search.input_value() == "jx/", "in a field they are text"
        key("Escape")
        assert not has_focus(search) and search.input_value() == "", "Escape leaves the search as it was"
        for name in ("j", "j", "x"):
            key(name)
        assert has_focus(box) and box.is_checked()
        key("e")
        me.page.locator("#budget_amount").wait_for()
        me.look("keys-budget")
        assert box.is_checked() and has_focus(me.page.locator("#budget_amount"))
        key("Escape")
        assert has_focus(box) and not me.page.locator("#budget_amount").count()
        key("?")
        me.look("keys")
        for name in ("Space", "Escape", "k"):
            key(name)
        assert has_focus(box), "they are turned off"
        me.press("^Keyboard$")
        for name in ("Space", "Escape", "k"):
            key(name)
        assert me.page.locator("tbody :focus").count(), "they are on again"

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
        # The four pauses are one entry, which unfolds: its rows follow in a row of the table.
        me.unfold(NAMES["changes of many"], me.rows(name).first)
        me.press(NAMES["undo"], me.rows(name).nth(1))
        self.account.wait_until(name + " runs again", lambda: self.runs(name))
        assert not any(map(self.runs, self.paused[1:])), "the others stay paused"
        me.look("undone")

    def stop_agent(self):
        """Home names the agent and leads to its page, which stops it."""
        me = self.manager
        me.menu("Home")
        me.settle()
        me.follow(NAMES["stop or revert"], me.section(NAMES["since"]).locator("li", has_text=filled.AGENT))
        return self.press_stop()

    def press_stop(self):
        me = self.manager
        me.settle()
        me.look("agent-stop")
        me.press(NAMES["stop"])
        began = time.monotonic()
        names = [campaign["name"] for campaign in self.account.raised]
        self.account.wait_until("all that it raised is paused", lambda: not any(map(self.runs, names)))
        told = "all %d paused %.0f s after the click" % (len(names), time.monotonic() - began)
        me.look("agent-stopped")
        return told

    def revert(self):
        """One page shows what was before, and one button brings it back."""
        me = self.manager
        # While the stop goes on the page has a link to the revert; after it, the revert itself.
        if me.has("link", NAMES["revert"]):
            me.follow(NAMES["revert"])
        me.settle()
        me.look("revert")
        assert all(campaign["name"] in me.text() for campaign in self.account.raised), me.text()
        me.press(NAMES["revert all"])
        if me.sign_in_again():
            me.press(NAMES["revert at last"])
        self.account.wait_until("all are as before", self.is_reverted, 180)
        me.look("reverted")

    def is_reverted(self):
        """What a person has paused meanwhile stays paused, with its former budget."""
        books, kept = self.account.books(), self.paused[1:]
        return all(
            filled.is_running(books[one["name"]]) == (one["name"] not in kept)
            and books[one["name"]]["budget"] == "%d.00" % one["budget"]
            for one in self.account.raised
        )

    def approve(self):
        me = self.manager
        me.menu("Approvals")
        me.look("approvals")
        for number in range(filled.WAITING):
            me.hand.tick(me.rows().nth(number).get_by_role("checkbox"))
        me.press(NAMES["approve"])
        if me.sign_in_again():
            # What was ticked is kept, and one click is left.
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
        row = me.rows(name).first
        assert row.is_visible() and re.search(r"Spent [\d,.]+ of ", row.inner_text()), row.inner_text()
        assert "Paused until 1 " in row.inner_text(), row.inner_text()
        me.follow(name, row)
        me.settle()
        me.look("month-campaign")
        me.hand.fill(me.page.locator("#budget_amount"), "15000")
        me.press("^Save$")
        assert "to 15,000.00" in me.text() and "It restarts within minutes." in me.text(), me.text()
        me.look("month-raised")
