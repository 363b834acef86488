"""A customer with a large account: 25 ad accounts on six platforms in seven currencies, 70 campaigns that have delivered, monthly
budgets, one campaign that spends too fast, changes that wait for approval, and an agent that went wild.

Everything is made by the API and by the sandbox's controls, except the consents, which need a person in a browser.
"""

import concurrent.futures
import json
import re
import time
import urllib.error
import urllib.request

# The ad accounts of each platform by their currencies: the three that the sandbox has are there already.
ACCOUNTS = {
    "alpha_ads": ("USD", "EUR", "JPY", "GBP", "CHF"),
    "beta_ads": ("USD", "EUR", "JPY", "GBP", "CAD"),
    "gamma_ads": ("USD", "EUR", "JPY", "AUD"),
    "delta_ads": ("USD", "EUR", "JPY", "CHF"),
    "epsilon_ads": ("USD", "EUR", "JPY", "CAD"),
    "zeta_ads": ("USD", "EUR", "JPY"),
}
THERE = ("USD", "EUR", "JPY")
THEMES = ("Spring sale", "Autumn coats", "Brand", "Retargeting", "Newsletter", "Harbour launch", "Weekend", "Lookalikes")
CAMPAIGNS, WILD, WAITING = 70, 19, 4
# What the agent adds to each campaign a day, in USD.
RAISE = 225
FAST, FAST_BUDGET, FAST_SPEND = "Runaway", 200, "364.91"
AGENT, ASSISTANT, FILLER = "Bid optimiser", "Assistant", "Filler"
# What one unit of a budget is in a currency without a minor unit.
SCALE = {"JPY": 100}


def post(url, body, headers=(), method="POST", tries=6):
    """Sends a request, and again after a pause if the answer says that it may: a slow machine does not end the story."""
    headers = {"Content-Type": "application/json", **dict(headers)}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method=method)
    try:
        return json.load(urllib.request.urlopen(request, timeout=120))
    except urllib.error.HTTPError as error:
        text = error.read().decode()
    answer = json.loads(text) if text.startswith("{") else {}
    if tries > 1 and answer.get("retryable"):
        time.sleep(min(answer.get("retry_after") or 5, 30))
        return post(url, body, headers, method, tries - 1)
    raise SystemExit("%s %s: %s" % (method, url, text))


def get(url, key):
    return json.load(urllib.request.urlopen(urllib.request.Request(url, headers={"X-API-Key": key}), timeout=120))


class Filled:
    """What is in the account, for a story that judges by it."""

    def __init__(self, service, sandbox, key):
        self.service, self.sandbox, self.key = service, sandbox, key
        self.connections, self.campaigns, self.raised, self.asked, self.stopped = [], [], [], [], []
        self.fast = self.agent = self.spent_month = None

    def api(self, method, path, body, key=None, once=None, shape="flat"):
        headers = {"X-API-Key": key or self.key, "X-API-Shape": shape}
        if once:
            headers["Idempotency-Key"] = once
        return post(self.service + "/v1" + path, body, headers, method)

    def control(self, name, body):
        return post("%s/_sandbox/%s" % (self.sandbox, name), body)

    def fill(self):
        """Creates the campaigns, lets them deliver for 40 days, and lets keys work on them."""
        self.connections = get(self.service + "/v1/connections?limit=100", self.key)["connections"]
        # The sandbox's TikTok takes no budget below all that a campaign has spent, so budgets are changed elsewhere.
        dollars = [one for one in self.connections if one["currency"] == "USD" and one["platform"] != "gamma_ads"]
        others = [one for one in self.connections if one not in dollars]
        assert len(self.connections) == 25 and len({one["currency"] for one in self.connections}) == 7, self.connections
        # Half of the campaigns are in US dollars, and two of three run.
        homes = [dollars[number // 2 % len(dollars)] if number % 2 else others[number // 2 % len(others)] for number in range(CAMPAIGNS)]
        # LinkedIn counts days in UTC, as this script does.
        fast = next(at for at, home in enumerate(homes) if runs(at) and home in dollars and home["platform"] == "delta_ads")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.campaigns = list(pool.map(self.create, range(CAMPAIGNS), homes, [at == fast for at in range(CAMPAIGNS)]))
        self.fast = self.campaigns[fast]
        for platform in ACCOUNTS:
            self.control("delivery", {"platform": platform, "seed": 7, "days": 40})
        self.spend_today()
        self.make_months()
        self.go_wild(dollars)
        self.ask(dollars)
        return self

    def create(self, number, connection, is_fast):
        """Creates a campaign, and activates two of three."""
        scale = SCALE.get(connection["currency"], 1)
        name = "%s %02d" % (FAST if is_fast else THEMES[number % len(THEMES)], number + 1)
        budget = FAST_BUDGET if is_fast else (50 + number) * scale
        body = {"name": name, "goal": "TRAFFIC", "platform": connection["platform"], "connection_id": connection["id"]}
        body |= {"budget_amount": budget, "budget_period": "DAILY"}
        campaign = self.api("POST", "/campaigns", body, once="filled-%d" % number)
        if runs(number):
            self.api("PATCH", "/campaigns/" + campaign["id"], {"status": "ACTIVE"})
        home = {"connection": connection, "budget": budget, "runs": runs(number)}
        return {"id": campaign["id"], "remote_id": campaign["remote_id"], "name": name, **home}

    def spend(self, campaign, amount):
        """Lets a campaign spend today, beside what it has spent."""
        platform = campaign["connection"]["platform"]
        self.control("spend", {"platform": platform, "campaign_id": campaign["remote_id"], "amount": amount})

    def spend_today(self):
        """A third of its budget by each campaign that runs, and far too much by one.

        Where an ad account is west of Greenwich, what was delivered yesterday may be of its today: it gets a third, too.
        """
        yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86_400))
        for campaign in self.campaigns:
            platform, third = campaign["connection"]["platform"], str(campaign["budget"] // 3)
            if campaign["connection"]["currency"] == "USD":
                day = {"platform": platform, "campaign_id": campaign["remote_id"], "date": yesterday, "spend": third}
                self.control("delivery", day | {"impressions": 900, "clicks": 31, "conversions": "2", "conversion_value": "40"})
            if campaign["runs"] and campaign is not self.fast:
                self.spend(campaign, third)
        self.spend(self.fast, FAST_SPEND)

    def make_months(self):
        """Four campaigns get a monthly budget: two of them have much left, one little, and the month of one is spent."""
        homes = [one for one in self.connections if one["currency"] not in ("USD", "JPY") and one["platform"] != "gamma_ads"]
        chosen = [one for one in self.campaigns if one["runs"] and one["connection"] in homes][:4]
        for campaign, amount in zip(chosen, (9_000, 12_000, 3_200, 2_000)):
            self.spend(campaign, "150.00")
            change = {"budget_amount": amount, "budget_period": "MONTHLY"}
            self.api("PATCH", "/campaigns/" + campaign["id"], change, shape="enveloped")
        self.spent_month = chosen[-1]
        self.spend(self.spent_month, "2400.00")

    def make_key(self, name, connections, **limit):
        limit = {"connections": [one["id"] for one in connections], "creates_per_day": 20, **limit}
        return self.api("POST", "/api-keys", {"name": name, "scopes": ["campaigns"], "spending_limit": limit})

    def go_wild(self, dollars):
        """An agent with far too generous a limit raises campaigns in US dollars that run."""
        self.agent = self.make_key(AGENT, dollars, amounts=[{"currency": "USD", "daily": 20_000}])
        self.raised = [one for one in self.campaigns if one["runs"] and one["connection"] in dollars and one is not self.fast][:WILD]
        assert len(self.raised) == WILD, len(self.raised)
        for campaign in self.raised:
            self.api("PATCH", "/campaigns/" + campaign["id"], {"budget_amount": campaign["budget"] + RAISE}, self.agent["api_key"])

    def ask(self, dollars):
        """Another agent asks a person before it activates."""
        limit = {"amounts": [{"currency": "USD", "daily": 5_000}], "approval": {"activation": True}}
        key = self.make_key(ASSISTANT, dollars, **limit)["api_key"]
        self.asked = [one for one in self.campaigns if not one["runs"] and one["connection"] in dollars][:WAITING]
        for campaign in self.asked:
            answer = self.api("PATCH", "/campaigns/" + campaign["id"], {"status": "ACTIVE"}, key)
            assert answer["state"] == "awaiting_approval", answer

    def books(self):
        """What the platforms have: the state and the daily budget of each campaign by its name."""
        books = {}
        for platform in ACCOUNTS:
            url = "%s/_sandbox/campaigns?platform=%s" % (self.sandbox, platform)
            for one in json.load(urllib.request.urlopen(url, timeout=60))["campaigns"]:
                books[one["name"]] = one
        return books

    def runs(self, campaign):
        return is_running(self.books()[campaign["name"]])

    def wait_until(self, what, holds, seconds=120):
        """Waits for what maintenance does."""
        until = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < until, what
            time.sleep(1)

    # What goes wrong, on and off.

    def fail(self, on=True):
        """Lets one platform answer late and another one throttle, or both answer again."""
        times = 100_000 if on else 0
        late = {"platform": "gamma_ads", "operation": "any", "fault": "slow", "times": times, "ms": 30_000}
        throttled = {"platform": "epsilon_ads", "operation": "any", "fault": "throttle", "times": times}
        for fault in (late, throttled):
            self.control("faults", fault)

    def revoke(self, platform):
        """The next call with the platform's grant finds that it was revoked, with all accounts of it."""
        self.control("faults", {"platform": platform, "operation": "any", "fault": "revoked", "times": 1})

    def stand_still(self):
        """Stops a campaign of each platform. Returns what a person reads of each, by name."""
        books, told = self.books(), {}
        others = [one for one in self.campaigns if one not in self.raised + self.asked + [self.fast, self.spent_month]]
        for platform, (ads, hold, line, advice) in CAUSES.items():
            here = [one for one in others if one["connection"]["platform"] == platform and is_running(books[one["name"]])]
            self.hold(here[0], ads, hold)
            self.stopped.append(here[0])
            told[here[0]["name"]] = (line, advice)
        return told

    def go_on(self):
        """Lets all that stood still run again."""
        for campaign in self.stopped:
            _, hold, _, _ = CAUSES[campaign["connection"]["platform"]]
            self.hold(campaign, ["approved"], hold and (hold[0], None))
        self.stopped = []

    def hold(self, campaign, ads, hold):
        """Sets the ads of a campaign, and what holds it or its ad account back."""
        platform, remote = campaign["connection"]["platform"], campaign["remote_id"]
        self.control("ads", {"platform": platform, "campaign_id": remote, "ads": ads})
        if hold:
            of, word = hold
            held = self.books()[campaign["name"]]["account"] if of == "account" else remote
            self.control("hold", {"platform": platform, of: held, "hold": word})


def runs(number):
    return number % 3 > 0


def is_running(book):
    return book["status"] in ("ACTIVE", "ENABLED", "ENABLE")


# Why a campaign of each platform stands still: ads, a hold and whether it is of the account, and what a person reads.
CAUSES = {
    "alpha_ads": (["rejected", "rejected"], None, "2 ads rejected", "A review has rejected ads."),
    "beta_ads": (["approved"], ("account", "billing"), "the ad account cannot pay", "Mend its payment method"),
    "gamma_ads": (["approved"], ("campaign_id", "budget_spent"), "budget used up", "Its budget is used up."),
    "delta_ads": (["approved"], ("campaign_id", "audience"), "it reaches too few people", "Widen them at the platform."),
    "epsilon_ads": (["in_review"], None, "1 ad in review", "The platform reviews its ads."),
    "zeta_ads": (["paused"], None, "1 ad switched off", "Its ads, or the groups that hold them, are switched off."),
}


def add_accounts(sandbox):
    """Adds what the platforms lack. Returns the ids of the accounts that a person ticks in the consent of each."""
    wanted = {}
    known = json.load(urllib.request.urlopen(sandbox + "/_sandbox/accounts", timeout=60))["accounts"]
    for platform, currencies in ACCOUNTS.items():
        plain = [one for one in known if one["platform"] == platform and not one["marks"]]
        there = {one["currency"]: one["id"] for one in reversed(plain) if one["currency"] in THERE}
        for currency in currencies:
            if currency not in there:
                body = {"platform": platform, "currency": currency}
                there[currency] = post(sandbox + "/_sandbox/accounts", body)["account"]["id"]
        wanted[platform] = {there[currency] for currency in currencies}
    return wanted


def connect(page, service, wanted):
    """A person connects exactly these ad accounts."""
    for number, ids in enumerate(wanted.values()):
        page.goto(service + "/dashboard/connections")
        page.get_by_role("button", name=re.compile("^Connect ")).nth(number).click()
        for box in page.locator("input[name=account]").all():
            box.set_checked(box.get_attribute("value") in ids)
        page.get_by_role("button", name="Approve").click()
        page.wait_for_url("**/dashboard/connections**")


def sign_up(page, service, email):
    page.goto(service + "/dashboard/sign-in")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("E-mail address").fill(email)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile("/dashboard(?!/sign-in)"))


def begin(page, service, sandbox, email):
    """Signs up, takes the largest plan, makes a key for the script, and fills the account."""
    sign_up(page, service, email)
    page.goto(service + "/dashboard/billing")
    page.get_by_role("button", name=re.compile("enterprise", re.I)).click()
    page.get_by_role("button", name="Pay").click()
    page.goto(service + "/dashboard/keys")
    page.locator("#name").fill(FILLER)
    page.get_by_role("checkbox", name=re.compile("^write")).check()
    page.get_by_role("button", name="Create key").click()
    key = page.locator("#secret").inner_text()
    connect(page, service, add_accounts(sandbox))
    account = Filled(service, sandbox, key).fill()
    read_spend(page, service)
    return account


def read_spend(page, service, seconds=60):
    """Lets the pages read what was spent: they have read the ad accounts after the consent, and do so again after some seconds."""
    until = time.monotonic() + seconds
    while True:
        page.goto(service + "/dashboard/campaigns?read=now&status=TOO_FAST")
        page.locator("meta[name=goes-on]").wait_for(state="detached", timeout=60_000)
        text = page.locator("main").inner_text()
        if FAST in text:
            return
        assert time.monotonic() < until, text
        page.wait_for_timeout(1_000)
