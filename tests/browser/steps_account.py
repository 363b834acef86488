"""The day's steps around the account: the first five minutes, a colleague, billing."""

import re

from names import NAMES
from person import pattern


class Account:
    """Steps of a `Day`, which makes the people and has the account."""

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
        new.settle()
        new.look("first-connected")
        assert re.search(r"campaigns? found in|No campaigns yet in", new.text()), new.text()
        new.follow("^Create a campaign")
        self.to_create(new)
        new.look("first-create")
        new.hand.fill(new.page.get_by_label("Name", exact=True), "My first campaign")
        choice = new.page.locator("input[name=targets]").first
        if not choice.is_checked():
            new.hand.tick(choice)
        amount = new.page.locator("input[name^='budget_amount.']").first
        new.hand.fill(amount, "1,234")
        new.page.keyboard.press("Tab")
        said = "1,234 can be read two ways" in new.text()
        assert said == new.scripts, "a wrong amount is said when its field is left"
        new.hand.fill(amount, "25,00")
        new.press("^Create campaign")
        assert new.rows("My first campaign").count() == 1, new.text()
        assert new.page.locator("#notice").get_by_role("button", name="Activate").count() == 1, "what comes next has its button"
        new.look("first-campaign")
        new.menu("Home")
        new.look("first-next")
        assert new.page.locator(".steps .button").count() == 1, "the steps stay until a campaign of this account runs"
        new.context.close()

    def next_step(self, new):
        new.settle()
        new.click(new.page.locator(".steps a.button:not(.quiet)"))

    def to_create(self, new):
        assert new.page.get_by_label("Name", exact=True).count(), "the step leads to the form"

    def invite(self):
        me = self.manager
        me.menu("People and settings")
        me.look("settings")
        me.hand.fill(me.page.get_by_label("For whom"), "A colleague who looks")
        assert me.page.get_by_role("radio", name=pattern(NAMES["viewer"])).is_checked(), "the role that changes nothing"
        me.press(NAMES["invite"])
        if me.sign_in_again():
            assert me.page.get_by_label("For whom").input_value() == "A colleague who looks", "what was typed stays"
            me.press(NAMES["invite"])
        self.link = me.page.locator("#secret").inner_text()
        me.look("settings-invited")

    def look_only(self):
        other = self.person("colleague")
        other.open(self.link)
        other.look("invited")
        other.press("Sign in")
        other.hand.fill(other.page.get_by_label("E-mail address"), other.email)
        other.press("Sign in")
        other.settle()
        other.look("viewer-home")
        assert other.text().count("You only look") == 1, other.text()
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
