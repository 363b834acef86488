"""The same day at the pages of before, with what a person had to do there. BEFORE=1 chooses it; it judges nothing but the outcome."""

import filled
from day import Day
from names import NotThere


class Before(Day):
    def to_create(self, new):
        """The step led to the empty list."""
        new.settle()
        new.follow("^(New campaign|Create one)")

    def since_yesterday(self):
        """Nothing sums up: a person reads Activity page by page until all that the agent did was seen."""
        me, names = self.manager, {campaign["name"] for campaign in self.account.raised}
        me.open()
        me.settle()
        me.look("home")
        me.menu("Activity")
        me.look("activity")
        seen = set()
        while True:
            seen |= {name for name in names if me.rows(filled.AGENT).filter(has_text=name).count()}
            if seen == names:
                return "%d rows of %s, and no sum" % (len(seen), filled.AGENT)
            me.follow("^Older")

    def lower(self):
        """In one currency, ordered by today's spend, the bar is as blue as any other; the budget is on the campaign's page."""
        me, name = self.manager, self.account.fast["name"]
        me.menu("Campaigns")
        me.settle()
        self.filter("Currency", "USD")
        me.press("^Show$")
        if me.is_phone:
            # Nothing orders the list there, so a person has to know the name.
            me.hand.fill(me.page.get_by_label("Name", exact=True), name)
            me.press("^Show$")
        for _ in range(0 if me.is_phone else 2):
            if not me.page.locator("th[aria-sort=descending]", has_text="Today").count():
                me.click(me.page.get_by_role("columnheader", name="Today").get_by_role("link"))
        me.look("too-fast")
        assert name in me.rows().first.inner_text(), me.text()
        me.follow(name, me.rows().first)
        me.hand.fill(me.page.locator("#budget_amount"), "120")
        me.press("^Save changes")
        assert "Saved: budget" in me.notice(), me.notice()
        self.is_budget(self.account.fast, "120.00")

    def do_pause(self, me):
        me.hand.choose(me.page.get_by_role("combobox", name="Ticked campaigns"), "Pause")
        me.press("^Preview", me.page.locator("form#bulk"))
        me.look("four-preview")
        me.press("^Pause 4 campaigns")

    def undo(self):
        """A bulk change is undone as a whole. One of it is activated again in the list."""
        me, name = self.manager, self.paused[0]
        me.menu("Campaigns")
        me.settle()
        me.hand.fill(me.page.get_by_label("Name", exact=True), name)
        me.press("^Show$")
        me.press("^Activate", me.rows(name).first)
        self.account.wait_until(name + " runs again", lambda: self.runs(name))

    def stop_agent(self):
        me = self.manager
        me.menu("Agents")
        me.look("agents")
        return self.press_stop()

    def revert(self):
        """Each campaign by hand: its former budget stands in Activity, and it is activated again on its page."""
        me = self.manager
        me.menu("Agents")
        me.follow("^Its changes", me.rows(filled.AGENT).first)
        listed = me.page.url
        me.look("agent-changes")
        for campaign in self.account.raised:
            me.page.goto(listed)
            while not me.rows(campaign["name"]).count():
                me.follow("^Older")
            me.follow(campaign["name"], me.rows(campaign["name"]).first)
            me.hand.fill(me.page.locator("#budget_amount"), "%d" % campaign["budget"])
            me.press("^Save changes")
            me.press("^Activate$")
            # Back to the list of its changes.
            me.hand.deeds += 1
        self.account.wait_until("all have their budgets and run", self.is_reverted, 180)
        return "no revert: each by hand"

    def approve(self):
        me = self.manager
        for _ in range(filled.WAITING):
            me.menu("Approvals")
            me.follow("^Look and decide")
            me.sign_in_again()
            me.press("^Approve$")
        self.are_approved()

    def month(self):
        """Only the budget can be changed: what is expected and what will be spent is nowhere."""
        me, name = self.manager, self.account.spent_month["name"]
        me.menu("Campaigns")
        me.settle()
        me.hand.fill(me.page.get_by_label("Name", exact=True), name)
        me.press("^Show$")
        me.look("month-row")
        badge = me.rows(name).first.locator(".badge").first.inner_text()
        me.follow(name, me.rows(name).first)
        me.hand.fill(me.page.locator("#budget_amount"), "15000")
        me.press("^Save changes")
        assert "15,000" in me.text(), me.text()
        return "no page of the months; a spent month says “%s”" % badge

    def one_consent(self, me):
        """Each account asked for itself."""

    def choose_role(self, me):
        """There is one role for who is invited."""

    def changes_nothing(self, other):
        raise NotThere("a role that only looks; the colleague may change everything")
