"""A customer's first day in a browser, at two sizes, with and without JavaScript: `story.py VARIANT READY BROWSER SCREENS`.

A variant is a size, and `js` or `plain`: `desktop-js`.
"""

import http.server
import json
import re
import sys
import threading
import time
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from agent import Agent
from chromium import FLAGS

VARIANT, READY, BROWSER, SCREENS = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3], sys.argv[4]
SERVICE = READY["gateway"].removesuffix("/v1")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
ADS = ("alpha_ads", "beta_ads", "gamma_ads", "delta_ads", "epsilon_ads", "zeta_ads")
PLATFORMS = len(ADS)
# Up to this width the menu is folded.
FOLDED = 960
HOSTILE = '"><script>document.title="owned"</script><b>'


class Story:
    """One person in one browser."""

    def __init__(self, browser, variant):
        size, scripts = variant.split("-")[0], variant.endswith("-js")
        width, height = SIZES[size]
        self.name, self.scripts, self.width, self.shots = variant, scripts, width, 0
        # axe is injected into the page, which its policy would refuse.
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, bypass_csp=scripts,
            color_scheme="dark" if size == "phone" else "light",
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def tell(self):
        self.sign_up()
        key = self.make_key()
        self.upgrade()
        self.mend_webhook(key)
        self.connect_all()
        agent = self.connect_agent()
        self.create_campaigns()
        self.read_insights()
        self.schedule_changes()
        self.approve(agent)
        self.pause_everything()
        self.change_campaigns()
        self.read_activity()
        self.use(key)
        self.register_redirect_uri()
        self.limit_user(key)
        self.stop_key(agent)
        self.read_reference()
        self.sign_out()
        assert not self.errors, self.errors
        self.context.close()
        print("browser: %s: signed up, bought, created on %d platforms, signed out" % (self.name, PLATFORMS))

    # The steps.

    def sign_up(self):
        self.open("/dashboard")
        assert self.page.url.endswith("/dashboard/sign-in"), self.page.url
        self.look("sign-in")
        self.press("Sign in")
        self.page.get_by_label("E-mail address").fill("%s@example.com" % self.name)
        self.press("Sign in")
        assert self.page.url == SERVICE + "/dashboard", self.page.url
        self.look("home-empty")

    def make_key(self):
        self.menu("API keys")
        self.look("keys-empty")
        self.page.get_by_label("Name").fill("Reporting " + HOSTILE)
        self.page.get_by_role("checkbox", name=re.compile("^write")).check()
        self.press("Create key")
        key = self.page.locator("#secret").inner_text()
        assert re.fullmatch(r"uac_test_[0-9A-Za-z]{60}", key), key
        assert self.page.get_by_role("button", name="Copy").count() == int(self.scripts), "Copy needs the script"
        self.look("keys-new")
        assert call(key, "/customer/me")["email"] == "%s@example.com" % self.name
        self.page.reload()
        assert key not in self.page.content(), "a key is shown once"
        return key

    def connect_agent(self):
        self.menu("Agents")
        self.page.locator("summary", has_text="Make a key with a limit").click()
        self.page.get_by_label("Name").fill("Agent " + HOSTILE)
        self.page.get_by_label("Most that it may run, a day").fill("5,000")
        self.page.locator("[name=connections]").first.check()
        assert self.page.get_by_label("Ask me before a campaign starts").is_checked()
        self.page.locator("summary", has_text="More limits").click()
        self.press("Make a limited key")
        assert self.page.locator("#daily-error").count() == 1, self.page.inner_text("main")
        self.look("agents-error")
        self.page.get_by_label("Most that it may run, a day").fill("500")
        self.press("Make a limited key")
        key = self.page.locator("#secret").inner_text()
        for name in ("Cursor", "VS Code", "MCP Inspector"):
            self.page.locator("summary", has_text=name).click()
        self.look("agents-new")
        for client, root in (("cursor", "mcpServers"), ("vs-code", "servers")):
            server = json.loads(self.page.locator("#" + client).text_content())[root]["unified-ads"]
            assert server["url"] == SERVICE + "/v1/mcp", server
            assert server["headers"] == {"Authorization": "Bearer " + key}, client
        agent = Agent(server)
        assert len(agent.tools()) == 12, agent.tools()
        self.page.get_by_role("link", name="Change its limit").click()
        self.look("agent-limit")
        assert key not in self.page.content(), "a key is shown once"
        self.menu("API keys")
        self.look("keys-limited")
        assert "may run up to 500.00 USD a day; a person approves every activation" in self.page.content()
        limits = call(key, "/limits")
        assert limits["limited"] and limits["amounts"][0]["daily"]["left"] == 500, limits
        return agent

    def upgrade(self):
        self.menu("Billing")
        self.look("billing-starter")
        self.page.get_by_role("button", name=re.compile("pro", re.I)).first.click()
        self.press("Pay")
        self.open("/dashboard/billing")
        self.look("billing-pro")

    def mend_webhook(self, key):
        receiver = Receiver()
        self.menu("Webhooks")
        self.look("webhooks-empty")
        self.page.get_by_label("URL").fill("http://10.0.0.1/")
        self.page.get_by_label("Only those that I choose").check()
        self.page.get_by_label("change.applied").check()
        self.press("Create endpoint")
        assert self.page.locator("#url-error").count() == 1, self.page.inner_text("main")
        self.look("webhooks-error")
        self.page.get_by_label("URL").fill(receiver.url)
        self.page.get_by_label("Description").fill("Log " + HOSTILE)
        self.page.get_by_label("All, also types that come later").check()
        assert not self.page.get_by_label("change.applied").is_visible(), "all events need no choice"
        self.press("Create endpoint")
        secret = self.page.locator("#secret").inner_text()
        assert re.fullmatch(r"whsec_[0-9A-Za-z+/]{43}=", secret), secret
        self.look("webhook-new")
        self.page.reload()
        assert secret not in self.page.content(), "a secret is shown once"
        self.press("Send a test event")
        assert "the endpoint answered 204" in self.page.locator(".notice.good").inner_text()
        assert [event["type"] for event in receiver.heard] == ["ping"], receiver.heard
        receiver.code = 500
        made = call(key, "/api-keys", "POST", {"name": "Told", "scopes": ["read"]})
        self.wait_for("Home", "Failing")
        self.look("home-webhook-failing")
        self.page.get_by_role("link", name="Deliveries of").click()
        self.page.locator(".deliveries summary").first.click()
        self.look("webhook-deliveries")
        receiver.code = 410
        call(key, "/api-keys/" + made["id"], "DELETE")
        self.wait_for("Home", "Disabled by us")
        self.look("home-webhook-disabled")
        receiver.code = 204
        self.press("Enable again and send what it missed")
        assert "3 events are sent again." in self.page.locator(".notice.good").inner_text()
        until = time.monotonic() + 60
        while self.page.get_by_role("table").get_by_text("Delivered", exact=True).count() < 4:
            assert time.monotonic() < until, self.page.inner_text("main")
            time.sleep(1)
            self.page.reload()
        self.look("webhook-mended")
        self.menu("Webhooks")
        self.look("webhooks")
        self.page.get_by_role("link", name=receiver.url).click()
        self.page.locator("summary", has_text="Replace the secret").click()
        self.press("Replace secret")
        assert self.page.locator("#secret").inner_text() != secret
        self.page.locator("summary", has_text="Delete this endpoint").click()
        self.press("Delete endpoint")
        self.page.get_by_text("No endpoints yet.").wait_for()
        receiver.close()

    def connect_all(self):
        self.menu("Connections")
        self.look("connections-empty")
        buttons = self.page.get_by_role("button", name=re.compile("^Connect "))
        assert buttons.count() == PLATFORMS, buttons.count()
        for number in range(PLATFORMS):
            self.page.get_by_role("button", name=re.compile("^Connect ")).nth(number).click()
            self.press("Approve")
            assert "/dashboard/connections" in self.page.url, self.page.url
            assert "Connected." in self.page.content()
        self.look("connections")

    def create_campaigns(self):
        self.menu("Campaigns")
        self.look("campaigns-empty")
        self.page.get_by_role("link", name="New campaign").click()
        self.page.get_by_label("Name", exact=True).fill("Spring %s %s" % (self.name, HOSTILE))
        self.page.get_by_label("Budget, for all").fill("5,550")
        for box in self.page.locator("form input[type=checkbox]").all():
            box.check()
        self.look("campaigns-form")
        self.press("Create campaign", exact=True)
        assert self.page.title().startswith("Error: "), self.page.title()
        assert self.page.locator("[aria-invalid=true]").count() == 1, "the line for all accounts is wrong"
        assert self.page.evaluate("document.activeElement.matches('.notice')"), "the summary has the focus"
        self.look("campaigns-form-error")
        self.page.get_by_label("Budget, for all").fill("55.50")
        self.press("Preview", exact=True)
        self.look("preview")
        assert self.page.locator(".badge.good").count() == PLATFORMS, self.page.inner_text("main")
        self.page.reload()
        assert self.page.locator("pre").count() >= PLATFORMS, "each platform has its request"
        self.page.locator("details:has(pre) > summary").first.click()
        self.look("preview-request")
        self.press(re.compile("^Create"))
        self.look("campaigns-created")
        assert self.own_rows().count() == PLATFORMS, self.page.inner_text("main")

    def read_insights(self):
        for platform in ADS:
            deliver(platform)
        self.menu("Insights")
        self.look("insights")
        assert not self.page.get_by_text("did not answer").count(), self.page.inner_text("main")
        charts = self.page.get_by_role("img", name=re.compile("^Spend per day"))
        assert charts.count() >= 1, "a chart for each currency"
        table = self.page.get_by_role("table").first
        assert table.get_by_role("row").count() > PLATFORMS, "the head and each platform"
        assert re.search(r"\d[.]\d\d\b", table.inner_text()), table.inner_text()
        self.page.locator(".pick > summary").first.click()
        self.page.get_by_role("link", name="Last 90 days", exact=True).click()
        self.page.get_by_role("link", name="Campaign", exact=True).click()
        self.page.get_by_role("heading", name="By campaign").wait_for()
        self.look("insights-campaigns")
        with self.page.expect_download() as saved:
            self.page.get_by_role("link", name="Download CSV").click()
        assert re.match(r"unified-ads-insights-[0-9-]+[.]csv$", saved.value.suggested_filename)
        self.menu("Campaigns")
        self.own_rows().first.get_by_role("link").click()
        assert self.page.get_by_role("img", name=re.compile("^Clicks per day")).count() == 1
        assert self.page.locator("table.days").get_by_role("row").count() == 9, "the head, seven days and the sum"
        self.look("campaign-insights")
        self.menu("Campaigns")

    def schedule_changes(self):
        self.own_rows().first.get_by_role("link").click()
        form = self.page.locator("section[aria-labelledby=change]")
        form.locator("summary").click()
        form.get_by_label("Time (UTC), optional").fill(later())
        form.get_by_label("Name", exact=True).fill("Later %s" % self.name)
        self.press("Preview", exact=True)
        assert re.search(r"makes exactly this change, at \d", self.page.inner_text("main")), self.page.inner_text("main")
        self.look("change-preview-later")
        self.press("Save", exact=True)
        assert "The change is scheduled for" in self.page.locator(".notice.good").inner_text()
        waiting = self.page.locator("section[aria-labelledby=waiting] table")
        assert waiting.get_by_text("Scheduled", exact=True).count() == 1, waiting.inner_text()
        waiting.locator("summary", has_text="Cancel").click()
        self.look("campaign-scheduled")
        self.press("Cancel this change")
        assert "The change is canceled" in self.page.locator(".notice.good").inner_text()
        table = self.page.locator("section[aria-labelledby=activity] table")
        assert table.get_by_text("Canceled", exact=True).count() == 1, table.inner_text()
        self.menu("Campaigns")

    def approve(self, agent):
        """The agent creates a campaign and wants to start it; the person approves; the agent reads and pauses it."""
        [account] = agent.call("list_accounts")["accounts"]
        assert agent.call("get_limits")["left"][0] == "500.00 USD a day"
        draft = {"connection_id": account["id"], "name": "Agent of " + self.name, "goal": "TRAFFIC", "budget_amount": 55.5}
        draft |= {"currency": account["currency"], "budget_period": "DAILY"}
        preview = agent.preview("create", draft)
        assert preview["after"]["budget"] == "55.50 USD a day" and not preview["needs_approval"], preview
        created = agent.call("create_campaign", draft | {"confirm_token": preview["confirm_token"]})
        again = agent.call("create_campaign", draft | {"confirm_token": preview["confirm_token"]})
        mine = {"campaign_id": created["campaign"]["id"]}
        assert created["campaign"] == again["campaign"] and again["is_repeated"] and created["campaign"]["status"] == "PAUSED", again
        asked = agent.change("update", mine | {"status": "ACTIVE"})
        assert asked["state"] == "awaiting_approval" and asked["approval_url"] in asked["message"], asked
        self.menu("Agents")
        assert self.page.get_by_role("link", name="1 waits for you").count() == 1, self.page.inner_text("main")
        self.look("agents")
        self.menu("Home")
        self.look("home-approval")
        assert self.page.get_by_role("heading", name="Waiting for your approval").count() == 1
        self.menu("Approvals")
        self.look("approvals")
        self.page.get_by_role("link", name="Review").click()
        assert asked["approval_url"].endswith(self.page.url.removeprefix(SERVICE)), (asked, self.page.url)
        self.page.locator("summary", has_text="The exact request").click()
        self.look("approval")
        self.press("Approve", exact=True)
        assert "Approved and applied." in self.page.locator(".notice.good").inner_text()
        self.look("approval-applied")
        assert agent.call("get_change", {"change_id": asked["change_id"]})["state"] == "applied"
        assert agent.call("get_campaign", mine)["status"] == "ACTIVE"
        assert agent.call("get_limits")["left"][0] == "444.50 USD a day"
        assert agent.call("get_insights", mine)["currency"] == "USD"
        self.menu("API keys")
        self.page.get_by_role("row", name="Agent").get_by_role("link", name="Stop or revert").click()
        self.look("key")
        assert "55.50 of 500.00 USD, 444.50 left" in self.page.inner_text("main"), self.page.inner_text("main")
        assert agent.call("pause_campaign", mine)["state"] == "applied", "pausing asks nobody"
        self.menu("Campaigns")

    def limit_user(self, key):
        """A program gives an ad account to a user; the person limits and pauses the user, and looks at its lists."""
        # What follows needs a sign-in of the last minutes.
        self.open("/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fusers")
        self.press("Sign in")
        self.page.get_by_label("E-mail address").fill("%s@example.com" % self.name)
        self.press("Sign in")
        self.page.get_by_text("No user yet").wait_for()
        self.look("users-empty")
        [google] = [one for one in call(key, "/connections")["connections"] if one["platform"] == "alpha_ads"]
        call(key, "/connections/" + google["id"], "PATCH", {"external_ref": "shop:42"})
        call(key, "/users/shop:42", "PUT", {"label": "Corner shop " + HOSTILE})
        call(key, "/users/empty", "PUT", {"label": "Nobody yet"})
        self.menu("End users")
        self.look("users")
        assert self.page.get_by_role("table").get_by_role("row").count() == 3, self.page.inner_text("main")
        self.page.get_by_label("Name of a user").fill("shop:42")
        self.press("Open")
        self.look("user")
        self.page.get_by_role("link", name="Set a limit").click()
        self.look("user-limit")
        self.page.get_by_label("Most that it may run, a day").fill("5,000")
        self.press("Set the limit")
        assert self.page.locator("#daily-error").count() == 1, self.page.inner_text("main")
        self.look("user-limit-error")
        self.page.get_by_label("Most that it may run, a day").fill("500")
        self.press("Set the limit")
        assert "0.00 of 500.00 USD, 500.00 left" in self.page.inner_text("main"), self.page.inner_text("main")
        page = self.page.url
        for name in ("Campaigns", "Approvals", "Activity", "Insights", "Usage"):
            self.page.locator("section[aria-labelledby=lists]").get_by_role("link", name=name).click()
            assert "external_ref=shop%3A42" in self.page.url, self.page.url
            assert self.page.locator("main").get_by_role("link", name="shop:42").count() >= 1, self.page.inner_text("main")
            self.look("user-" + name.lower())
            self.page.goto(page)
            self.settle()
        self.page.locator("summary", has_text="Pause").click()
        self.look("user-pause")
        self.press(re.compile("^Pause"))
        assert self.page.locator(".notice.good").count() == 1, self.page.inner_text("main")
        self.page.locator("summary", has_text="Resume").click()
        self.look("user-paused")
        self.press(re.compile("^Resume"))
        assert self.page.get_by_text("is looked at once more").count() == 1, self.page.inner_text("main")
        self.erase_user()
        self.menu("API keys")
        self.page.locator("#name").fill("Shop")
        self.page.locator("#external_ref").fill("shop:42")
        self.press("Create key", exact=True)
        assert "Only for the user shop:42" in self.page.inner_text("main"), self.page.inner_text("main")
        self.look("keys-of-user")

    def erase_user(self):
        """A user is erased only by a person who types its name."""
        self.page.locator("summary", has_text="Erase").click()
        self.look("user-erase")
        self.page.get_by_label("To confirm, write the name of the user").fill("shop:4")
        self.press(re.compile("^Erase"))
        assert self.page.locator("#confirm-error").count() == 1, self.page.inner_text("main")
        self.look("user-erase-error")
        self.menu("End users")
        self.page.get_by_role("link", name="empty").click()
        self.page.locator("summary", has_text="Erase").click()
        self.page.get_by_label("To confirm, write the name of the user").fill("empty")
        self.press(re.compile("^Erase"))
        assert "Being erased" in self.page.inner_text("main"), self.page.inner_text("main")
        self.look("user-erasing")

    def stop_key(self, agent):
        self.menu("API keys")
        row = self.page.get_by_role("row", name="Agent")
        row.get_by_role("link", name="Stop or revert").click()
        self.look("key-stop")
        self.press("Stop it and pause what it runs")
        assert self.page.locator(".notice.good").count() == 1, self.page.inner_text("main")
        assert self.page.get_by_text("Stopped", exact=True).count() == 1, self.page.inner_text("main")
        self.look("key-stopped")
        self.is_refused(agent)
        self.resume()
        assert self.page.get_by_text("is looked at once more").count() == 1, self.page.inner_text("main")
        self.is_refused(agent)
        # What it had on its way is looked at after a minute. One of the stories waits for that.
        if self.name != "desktop-js":
            return
        until = time.monotonic() + 240
        while self.page.get_by_text("refreshes itself until that is done").count() > 0:
            assert time.monotonic() < until, self.page.inner_text("main")
            time.sleep(5)
            self.page.reload()
        self.resume()
        assert agent.call("get_limits")["limited"], "the key works again"

    def is_refused(self, agent):
        status, answer = agent.send("tools/call", {"name": "get_limits", "arguments": {}})
        assert status == 401 and "stopped" in answer["error"], answer

    def resume(self):
        self.page.locator("summary", has_text="Resume").click()
        self.page.get_by_role("button", name=re.compile("^Resume")).click()

    def pause_everything(self):
        self.own_rows().first.get_by_role("button", name=re.compile("^Activate")).click()
        self.page.get_by_role("link", name="Pause all campaigns").click()
        self.look("pause-all")
        self.press(re.compile("^Pause"))
        assert re.match(r"Paused \d+\.", self.page.get_by_role("heading", level=2).first.inner_text())
        assert self.page.get_by_text("The platforms have confirmed everything.").count() == 1, self.page.inner_text("main")
        self.look("pause-all-outcome")
        self.menu("Campaigns")
        assert self.own_rows().get_by_text("Active", exact=True).count() == 0, self.page.inner_text("main")

    def change_campaigns(self):
        self.own_rows().first.get_by_role("button", name=re.compile("^Activate")).click()
        assert self.page.locator(".notice.good").count() == 1, self.page.inner_text("main")
        self.own_rows().first.get_by_role("link").click()
        self.look("campaign")
        self.menu("Campaigns")
        for left in range(PLATFORMS - 1, -1, -1):
            self.own_rows().first.get_by_role("link").click()
            self.press("Delete", exact=True)
            self.press("Delete campaign", exact=True)
            assert self.page.locator(".notice.good").count() == 1, self.page.inner_text("main")
            assert self.own_rows().count() == left, self.page.inner_text("main")
            if left == PLATFORMS - 1:
                self.look("campaigns-changed")

    def read_activity(self):
        self.menu("Activity")
        self.look("activity")
        table = self.page.get_by_role("table")
        rows = table.get_by_role("row")
        assert rows.count() >= 5 + 2 * PLATFORMS, "the head, what was created and removed, and four changes"
        assert "Activated" in table.inner_text(), table.inner_text()
        filters = self.page.locator("summary:visible", has_text="Filters")
        if filters.count():
            filters.click()
        self.page.get_by_label("Kind").select_option("create")
        self.press("Filter")
        assert rows.count() == 2 + PLATFORMS, "the head, one on each platform, and that of the agent"
        rows.last.get_by_role("link").first.click()
        table = self.page.locator("section[aria-labelledby=activity] table")
        assert table.get_by_role("row").count() >= 3, "created and removed"
        self.look("campaign-activity")
        self.page.get_by_role("link", name="All activity for this campaign").click()
        rows = self.page.get_by_role("table").get_by_role("row")
        assert rows.count() >= 3, self.page.inner_text("main")
        self.look("activity-campaign")

    def use(self, key):
        for path in ("/campaigns", "/connections", "/campaigns/none", "/platforms"):
            call(key, path)
        self.menu("Usage")
        self.look("usage")
        assert self.page.locator("svg[role=img]").count() >= 1, "a chart"
        live = self.page.get_by_role("link", name="Live")
        assert live.count() == int(self.scripts), "Live needs the script"
        if self.scripts:
            live.click()
            assert "reloads every 10 seconds" in self.page.inner_text("main")
            self.look("usage-live")
        self.menu("Home")
        self.look("home")

    def register_redirect_uri(self):
        self.menu("People and settings")
        self.page.get_by_label("Redirect URI", exact=True).fill("ftp://example.com/")
        self.press("Register")
        assert self.page.get_by_role("alert").count() == 1, "a URI that is refused has an error"
        self.look("settings-error")
        self.page.get_by_label("Redirect URI", exact=True).fill("https://example.com/%s" % self.name)
        self.press("Register")
        self.look("settings")

    def read_reference(self):
        """Every page of the reference, the page of a wrong address, and the page of the sandbox."""
        self.menu("Docs")
        menu = self.page.get_by_role("navigation", name="Reference").locator("a[href^='/v1/docs']")
        pages = menu.evaluate_all("links => links.map(link => link.getAttribute('href'))") if self.scripts else ["/v1/docs"]
        for path in pages:
            self.open(path)
            self.look("reference-" + path.rsplit("/", 1)[-1])
        self.page.get_by_role("link", name="Dashboard", exact=True).click()
        self.open("/dashboard/nowhere/")
        self.look("not-found")
        self.menu("Home")
        self.open("/dashboard/")
        assert self.page.url.endswith("/dashboard"), self.page.url
        self.page.goto(READY["sandbox"] + "/")
        self.look("sandbox")
        self.press("Deliver", exact=True)
        assert "elivered" in self.page.get_by_role("status").inner_text()
        self.look("sandbox-delivered")
        self.open("/dashboard")

    def sign_out(self):
        navigation = self.page.get_by_role("navigation")
        if self.width <= FOLDED:
            navigation.get_by_text("Menu", exact=True).click()
        else:
            navigation.locator("details.group summary").last.click()
        self.press("Sign out", exact=True)
        self.page.wait_for_url("**/dashboard/sign-in")
        self.page.go_back()
        self.page.wait_for_load_state()
        assert "sign-in" in self.page.url, "the button back shows nothing of the account"

    # The tools.

    def own_rows(self):
        """The campaigns of this person. The others use the same imitated ad accounts."""
        return self.page.locator("tbody tr", has_text="Spring %s " % self.name)

    def wait_for(self, page, text):
        """Loads a page of the menu until it has a text."""
        until = time.monotonic() + 60
        self.menu(page)
        while not self.page.get_by_text(text, exact=True).count():
            assert time.monotonic() < until, self.page.inner_text("main")
            time.sleep(1)
            self.menu(page)

    def open(self, path):
        self.page.goto(SERVICE + path)

    def menu(self, name):
        navigation = self.page.get_by_role("navigation")
        if self.width <= FOLDED:
            navigation.get_by_text("Menu", exact=True).click()
        link = navigation.get_by_role("link", name=name, include_hidden=True)
        if not link.is_visible():
            inner = self.page.get_by_role("link", name=name, include_hidden=True)
            navigation.locator("details.group", has=inner).locator("summary").click()
        link.click()

    def press(self, name, exact=False):
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def settle(self):
        """Waits for a page that goes on to the complete one by itself: axe would lose it while it reads."""
        if self.scripts:
            self.page.locator("meta[name=goes-on]").wait_for(state="detached")

    def look(self, name):
        """Takes a screenshot, and checks what a designer and a screen reader would."""
        self.settle()
        self.shots += 1
        self.page.screenshot(path="%s/%s-%02d-%s.png" % (SCREENS, self.name, self.shots, name), full_page=True)
        assert self.page.title() != "owned", "a text of the customer ran as a script"
        assert self.page.locator("h1").count() == 1, name
        if self.scripts:
            overflow = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, "%s is %d pixels wider than the window" % (name, overflow)
            results = Axe().run(self.page)
            assert results.violations_count == 0, "%s: %s" % (name, results.generate_report())


class Receiver:
    """An endpoint of webhooks, on this machine."""

    def __init__(self):
        self.code, self.heard = 204, []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(receiver.code)
                body = b"" if receiver.code == 204 else ("The log is full. " * 8 + HOSTILE).encode()
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/hooks" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def later():
    """A time in an hour, as the field takes it."""
    return time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + 3600))


def call(key, path, method="GET", body=None):
    headers = {"X-API-Key": key, "Content-Type": "application/json"} if body else {"X-API-Key": key}
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(READY["gateway"] + path, data, headers, method=method)
    try:
        text = urllib.request.urlopen(request, timeout=60).read()
        return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return json.load(error)


def deliver(platform):
    """Lets all campaigns of a platform deliver for 40 days."""
    body = json.dumps({"platform": platform, "seed": 7, "days": 40}).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(READY["sandbox"] + "/_sandbox/delivery", body, headers), timeout=60)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
    Story(browser, VARIANT).tell()
    browser.close()
