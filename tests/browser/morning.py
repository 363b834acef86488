"""A manager's morning with 46 ad accounts: each step by clicks, with its seconds."""

import json
import re
import sys
import time

from playwright.sync_api import TimeoutError, sync_playwright

import filled
from chromium import FLAGS


class Morning:
    """One person in one browser, from the first page to the last export."""

    def __init__(self, page, service, sandbox, look):
        self.page, self.service, self.sandbox, self.look, self.steps = page, service, sandbox, look, []

    def tell(self):
        self.step("see what changed overnight", self.overnight)
        self.step("find the campaign that spends too fast", self.find)
        self.step("lower it", self.lower)
        self.step("pause four", self.pause)
        self.step("undo one", self.undo)
        self.step("export", self.export)
        self.step("find why six do not run", self.stopped)
        self.step("connect the broken account", self.reconnect)
        self.step("look while two platforms fail", self.failing)
        return self.steps

    def step(self, name, act):
        began = time.monotonic()
        clicks = act()
        self.steps.append((name, clicks, time.monotonic() - began))

    def overnight(self):
        self.page.goto(self.service + "/dashboard")
        self.settle("Home")
        main = self.page.inner_text("main")
        assert re.search(r"spent|spend", main, re.I) and re.search(r"[\d,]+[.]\d\d", main), main
        self.look("morning-home")
        self.page.get_by_role("navigation").get_by_role("link", name="Activity").click()
        assert self.page.get_by_role("table").get_by_role("row").count() > 10, self.page.inner_text("main")
        return 1

    def find(self):
        self.page.get_by_role("navigation").get_by_role("link", name="Campaigns").click()
        self.page.get_by_role("columnheader", name="Today").get_by_role("link").click()
        if self.page.locator("th[aria-sort=ascending]").count():
            self.page.get_by_role("columnheader", name="Today").get_by_role("link").click()
        assert self.rows().count() == 25, "25 of sixty: %d" % self.rows().count()
        assert self.page.get_by_text("1–25 of 60").count() == 1, self.page.inner_text("main")
        assert self.page.locator("progress").count() > 10, "today's spend against the budget"
        self.look("morning-campaigns")
        return 2

    def lower(self):
        self.fast = self.rows().first.get_by_role("link").first.inner_text()
        self.rows().first.get_by_role("link").first.click()
        self.look("morning-campaign")
        budget = self.page.get_by_label(re.compile("^Budget amount"))
        was = budget.input_value()
        lower = "20" if was != "20.00" else "19"
        budget.fill(lower if "JPY" not in self.page.inner_text("main") else "5000")
        self.page.get_by_role("button", name="Save changes").click()
        notice = self.page.locator(".notice.good").inner_text()
        assert "Saved: budget" in notice and was.split(".")[0] in notice.replace(",", ""), notice
        return 3

    def pause(self):
        self.page.get_by_role("navigation").get_by_role("link", name="Campaigns").click()
        self.page.get_by_label("Status").select_option("ACTIVE")
        self.page.get_by_role("button", name="Show", exact=True).click()
        for number in range(4):
            self.rows().nth(number).locator("input[type=checkbox]").check()
        self.page.get_by_role("combobox", name="Ticked campaigns").select_option("pause")
        self.page.get_by_role("button", name="Preview").click()
        assert "Budgets in all" in self.page.inner_text("main"), self.page.inner_text("main")
        self.look("morning-many")
        self.page.get_by_role("button", name="Pause 4 campaigns").click()
        self.page.wait_for_load_state()
        self.look("morning-paused")
        return 9

    def undo(self):
        self.page.get_by_role("navigation").get_by_role("link", name="Campaigns").click()
        self.settle("Campaigns")
        row = self.page.locator("tbody tr", has_text="Active").first
        name = row.get_by_role("link").first.inner_text()
        row.get_by_role("button", name=re.compile("^Pause")).click()
        self.page.get_by_role("button", name="Undo").click()
        assert "Undone" in self.page.locator(".notice.good").inner_text(), self.page.inner_text("main")
        assert self.page.locator("tbody tr", has_text=name).first.get_by_text("Active", exact=True).count(), name
        self.look("morning-undone")
        return 3

    def export(self):
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Download CSV").click()
        lines = open(download.value.path(), encoding="utf-8").read().splitlines()
        assert len(lines) == 61 and lines[0].startswith("Name,"), lines[:2]
        return 1

    def stopped(self):
        """One campaign of each platform stands still, each for another cause. The list names them, their pages say why."""
        causes = filled.stop(self.sandbox)
        # What was read a moment ago is not read again at once.
        for _ in range(30):
            self.page.goto(self.service + "/dashboard/campaigns?status=NOT_RUNNING&read=now")
            self.settle("Campaigns")
            self.page.goto(self.service + "/dashboard/campaigns?status=NOT_RUNNING&rows=50")
            main = self.page.inner_text("main")
            if all(name in main and line in main for name, (line, _) in causes.items()):
                break
            time.sleep(2)
        self.page.goto(self.service + "/dashboard")
        assert "do not run" in self.page.inner_text("main"), self.page.inner_text("main")
        self.look("morning-stopped-home")
        self.page.get_by_role("link", name="All that do not run").click()
        self.look("morning-stopped")
        list_url = self.page.url
        for name, (line, advice) in causes.items():
            row = self.page.locator("tbody tr", has_text=name).first
            assert line in row.inner_text(), (name, line, row.inner_text())
            row.get_by_role("link").first.click()
            part = self.page.locator("section[aria-labelledby=delivery]").inner_text()
            assert advice in part, (name, advice, part)
            self.look("morning-stopped-" + name.split()[0].lower())
            self.page.goto(list_url)
        filled.stop(self.sandbox, on=False)
        return 2 + len(causes)

    def reconnect(self):
        self.revoke("beta_ads")
        self.page.goto(self.service + "/dashboard/connections")
        self.page.get_by_role("button", name="Check all now").click()
        assert self.page.locator(".notice.bad").count() == 1, "two broken connections are no success"
        self.page.get_by_role("navigation").get_by_role("link", name="Home").click()
        self.look("morning-broken")
        self.page.goto(self.service + "/dashboard/connections")
        self.look("morning-broken-connections")
        self.page.get_by_role("button", name=re.compile("^Reconnect")).first.click()
        for box in self.page.locator("input[name=account]").all():
            box.check()
        self.page.get_by_role("button", name="Approve").click()
        self.page.wait_for_url("**/dashboard/connections**")
        assert "Connected" in self.page.locator(".notice").first.inner_text(), self.page.inner_text("main")
        return 5

    def failing(self):
        filled.fail(self.sandbox)
        for path in ("", "/campaigns?read=now", "/insights"):
            # The page before it may be about to load itself once more.
            self.page.goto("about:blank")
            began = time.monotonic()
            self.page.goto(self.service + "/dashboard" + path, wait_until="commit")
            first = time.monotonic() - began
            assert first < 5, "%s took %.1f s" % (path, first)
            self.look("morning-failing-" + (path.strip("/").split("?")[0] or "home"))
        filled.fail(self.sandbox, on=False)
        return 3

    def revoke(self, platform):
        """The next call with the platform's grants finds that they were revoked."""
        fault = {"platform": platform, "operation": "any", "fault": "revoked", "times": 1}
        filled.post(self.sandbox + "/_sandbox/faults", fault)

    def settle(self, name):
        """Waits until all accounts have answered. The page goes on by itself; on a slow machine a person looks again."""
        waiting = self.page.get_by_text("Still waiting for")
        for _ in range(10):
            try:
                waiting.wait_for(state="detached", timeout=10_000)
                return
            except TimeoutError:
                self.page.get_by_role("navigation").get_by_role("link", name=name).click()
        raise AssertionError(self.page.inner_text("main"))

    def rows(self):
        return self.page.locator("table.list tbody tr")


def begin(page, service):
    """Signs up, takes the largest plan, and makes a key for the script that fills the account."""
    page.goto(service + "/dashboard/sign-in")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("E-mail address").fill("manager@example.com")
    page.get_by_role("button", name="Sign in").click()
    page.goto(service + "/dashboard/billing")
    page.get_by_role("button", name=re.compile("enterprise", re.I)).click()
    page.get_by_role("button", name="Pay").click()
    page.goto(service + "/dashboard/keys")
    page.get_by_label("Name").first.fill("Filler")
    page.get_by_role("checkbox", name=re.compile("^write")).check()
    page.get_by_role("button", name="Create key").click()
    return page.locator("#secret").inner_text()


def main():
    ready, chromium, screens = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
    service, sandbox = ready["gateway"].removesuffix("/v1"), ready["sandbox"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True).new_page()
        page.set_default_timeout(60_000)
        filled.fill(page, service, sandbox, begin(page, service))

        def look(name):
            page.screenshot(path="%s/%s.png" % (screens, name), full_page=True)

        for name, clicks, seconds in Morning(page, service, sandbox, look).tell():
            print("browser: morning: %s: %d clicks, %.1f s" % (name, clicks, seconds))
        browser.close()


if __name__ == "__main__":
    main()
