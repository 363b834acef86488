"""How a person acts on a page: with a mouse, a finger, or the keyboard alone. Each deed is counted.

A click or a tap is one, also the one into a text field; a list to choose from is two, one to open it and one to choose. With the keyboard
each key counts that is not text, and the focus must be seen at each of them.
"""

import re

# Whether the focus is on an element, or on which side of it.
WHERE = """target => {
    const at = document.activeElement;
    if (at === target) return "here";
    if (at && at.type === "radio" && at.name === target.name) return "in its group";
    if (!at || at === document.body) return "after";
    return at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? "before" : "after";
}"""

# What hides the middle of the element with the focus: nothing, or its words.
COVERED = """() => {
    const at = document.activeElement;
    if (!at || at === document.body) return null;
    const box = [...at.getClientRects()].find(box => box.width > 1 && box.height > 1);
    if (!box) return null;
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const words = element => `${element.localName}.${element.className} "${(element.textContent || element.name || "").trim().slice(0, 30)}"`;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `${words(at)} is outside the window`;
    const top = document.elementFromPoint(x, y);
    if (!top || at.contains(top) || top.contains(at) || top.closest("label")?.control === at) return null;
    return `${words(at)} is below ${words(top)}`;
}"""

# Whether an element leads to another page: a link, or a button that sends its form.
LEAVES = """element => {
    if (element.closest("a")) return !element.closest("a").getAttribute("href").startsWith("#") && !element.closest("a").hasAttribute("download");
    return ["submit", "image"].includes(element.type) && Boolean(element.form);
}"""


class Mouse:
    """A mouse at a large screen."""

    unit = "clicks"

    def __init__(self, page):
        self.page, self.deeds = page, 0

    def click(self, target):
        self.deeds += 1
        self.arrive(target, lambda: self.press(target))

    def save(self, target):
        """Saves the file that a link leads to, and returns its lines."""
        with self.page.expect_download() as download:
            self.tick(target)
        return open(download.value.path(), encoding="utf-8").read().splitlines()

    def tick(self, target):
        """Presses what leads nowhere."""
        self.deeds += 1
        self.press(target)

    def fill(self, target, text):
        self.deeds += 1
        self.press(target)
        target.fill(text)

    def choose(self, target, label):
        self.deeds += 2
        target.select_option(label=label) if isinstance(label, str) else target.select_option(label=self.option(target, label))

    def press(self, target):
        target.click()

    def option(self, target, pattern):
        """The words of the first option that fits."""
        options = target.locator("option").all_inner_texts()
        return next(text for text in options if re.search(pattern, text))

    def arrive(self, target, act):
        """Acts, and waits for the page that follows."""
        target.wait_for()
        if not target.evaluate(LEAVES):
            return act()
        with self.page.expect_navigation():
            act()


class Finger(Mouse):
    """A finger on a phone."""

    unit = "taps"

    def press(self, target):
        target.tap()


class Keys(Mouse):
    """The keyboard alone."""

    unit = "keys"

    def click(self, target):
        self.reach(target)
        self.arrive(target, lambda: self.key("Enter"))

    def tick(self, target):
        self.reach(target)
        self.key("Enter" if target.evaluate("element => element.localName === 'a'") else "Space")

    def fill(self, target, text):
        self.reach(target)
        self.key("Control+A")
        self.page.keyboard.type(text)

    def choose(self, target, label):
        text = label if isinstance(label, str) else self.option(target, label)
        self.reach(target)
        self.key("Home")
        for _ in range(target.locator("option").count()):
            if target.evaluate("list => list.selectedOptions[0].label") == text:
                return
            self.key("ArrowDown")
        raise AssertionError("the keyboard does not choose " + text)

    def key(self, name):
        self.deeds += 1
        self.page.keyboard.press(name)

    def reach(self, target):
        """Moves the focus to an element, forwards or backwards. Wherever it is, the person sees it."""
        target.wait_for()
        handle = target.element_handle()
        for _ in range(700):
            place = handle.evaluate(WHERE)
            if place == "here":
                return
            self.key({"after": "Tab", "before": "Shift+Tab", "in its group": "ArrowDown"}[place])
            covered = self.page.evaluate(COVERED)
            assert covered is None, "the focus is hidden: " + covered
        raise AssertionError("the keyboard does not reach %s on %s" % (target, self.page.url))


HANDS = {"mouse": Mouse, "finger": Finger, "keys": Keys}
