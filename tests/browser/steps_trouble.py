"""The day's trouble: campaigns that stand still, a revoked grant, platforms that fail, and the file that a person takes away."""

import time


class Trouble:
    """Steps of a `Day`, which has the manager and the account."""

    def export(self):
        me = self.manager
        me.menu("Campaigns")
        me.settle()
        lines = me.hand.save(me.page.get_by_role("link", name="Download CSV"))
        named = {line.split(",")[0] for line in lines[1:]}
        missing = {one["name"] for one in self.account.campaigns} - named
        assert lines[0].startswith("Name,") and not missing, (lines[0], lines[-1], missing)

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
        assert "are not running" in me.text(), me.text()
        me.follow(r"^(See all|All \d+) not running")
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
