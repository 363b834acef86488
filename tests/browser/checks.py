"""What a designer, a screen reader and a thumb would find on a page."""

import statistics

from axe_playwright_python.sync_playwright import Axe

from hand import COVERED

# Whether an element is seen: it, or what it stands in, may be there for a screen reader alone.
SEEN = """element => {
    for (let at = element; at !== document.body; at = at.parentElement) {
        if (at.offsetWidth <= 1 || at.offsetHeight <= 1) return getComputedStyle(at).display === "contents";
    }
    return element.checkVisibility({visibilityProperty: true, opacityProperty: true});
}"""

# The elements that a thumb cannot hit: lower than 44 pixels, and no link in a sentence. An area around an element counts.
SMALL = """() => {
    const isSeen = %s;
    const controls = document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])");
    const hits = (element, x, y) => {
        const top = document.elementFromPoint(x, y);
        return top && (element.contains(top) || top.closest("label")?.control === element);
    };
    // Whether other words stand on the line of a link: then it is part of a sentence.
    const isInText = element => {
        if (element.localName !== "a" || getComputedStyle(element).display !== "inline") return false;
        for (let at = element; getComputedStyle(at).display === "inline"; at = at.parentElement) {
            for (const side of ["previousSibling", "nextSibling"]) {
                for (let next = at[side]; next && next.localName !== "br"; next = next[side]) {
                    const isInline = next.nodeType === 1 && getComputedStyle(next).display === "inline" && next.localName !== "a";
                    const isWords = next.nodeType === 3 || isInline;
                    if (isWords && /\\w/.test(next.textContent)) return true;
                }
            }
        }
        return false;
    };
    const small = [];
    for (const element of controls) {
        if (!isSeen(element) || isInText(element)) continue;
        const label = ["checkbox", "radio"].includes(element.type) && element.closest("label");
        let box = (label || element).getBoundingClientRect();
        if (box.width <= 1 || box.height >= 43.5 || box.right <= 0) continue;
        element.scrollIntoView({block: "center"});
        box = element.getBoundingClientRect();
        const x = box.left + box.width / 2, y = box.top + box.height / 2;
        if (hits(element, x, y - 21) && hits(element, x, y + 21)) continue;
        const words = element.textContent.trim() || element.ariaLabel || element.name || "";
        small.push(`${element.localName} "${words.slice(0, 30)}" ${Math.round(box.height)}`);
    }
    scrollTo(0, 0);
    return small;
}""" % SEEN

# Neighbours that lie on each other, and words that leave their box.
OVERLAPPING = """() => {
    const isSeen = %s;
    const words = element => `${element.localName}.${element.className} "${element.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}"`;
    const isPlain = element => isSeen(element) && !["absolute", "fixed", "sticky"].includes(getComputedStyle(element).position);
    const found = [];
    for (const parent of document.querySelectorAll("body *")) {
        if (!/flex|grid/.test(getComputedStyle(parent).display)) continue;
        const boxes = [...parent.children].filter(isPlain).map(child => [child, child.getBoundingClientRect()]);
        for (const [index, [one, a]] of boxes.entries()) {
            for (const [other, b] of boxes.slice(index + 1)) {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 1) found.push(`${words(one)} lies on ${words(other)}`);
            }
        }
    }
    for (const box of document.querySelectorAll(".tile, .badge, .button, button, td, th")) {
        const style = getComputedStyle(box);
        if (!isSeen(box) || style.overflowX !== "visible" || style.display === "inline") continue;
        if (box.clientWidth && box.scrollWidth > box.clientWidth + 1) found.push(`${words(box)} is wider than its box`);
    }
    return found;
}""" % SEEN

WIDER = "document.documentElement.scrollWidth - innerWidth"

# The bytes of a page with all that it loads, uncompressed; what completes it in its place is the same page once more.
# What a page and all that it loads weigh as they are sent: the style and the script are compressed.
WEIGHT = """() => ["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
    .filter(entry => entry.initiatorType !== "fetch")
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""

FIRST_BYTE = "() => { const [load] = performance.getEntriesByType('navigation'); return load.responseStart - load.requestStart; }"


def settle(page, seconds=60):
    """Waits for a page that goes on to the complete one, or completes itself."""
    page.locator("meta[name=goes-on]").wait_for(state="detached", timeout=seconds * 1_000)


def problems(page, is_phone, has_scripts=True):
    """Everything that is wrong with a page as it is."""
    found = []
    if page.locator("h1").count() != 1:
        found.append("%d first headings" % page.locator("h1").count())
    wider = page.evaluate(WIDER)
    if wider > 0:
        found.append("%d pixels wider than the window" % wider)
    found += page.evaluate(OVERLAPPING)
    if is_phone:
        found += ["too low for a thumb: " + words for words in page.evaluate(SMALL)]
    if has_scripts:
        found += axe(page)
    return found


def axe(page):
    """The violations that axe-core finds, each with the first elements that have it."""
    violations = Axe().run(page).response["violations"]
    return ["axe %s: %s" % (one["id"], ", ".join(str(node["target"][0]) for node in one["nodes"][:3])) for one in violations]


# Whether the focus has left the page, or has come round.
ROUND = """() => {
    const at = document.activeElement, walked = window.walked ??= new Set();
    return at === document.body || walked.size === walked.add(at).size;
}"""


def walk(page, most=500):
    """Walks through the page by Tab, and returns where the focus is hidden."""
    page.evaluate("""() => {
        window.walked = undefined;
        document.body.tabIndex = -1;
        document.body.focus();
        document.body.removeAttribute("tabindex");
    }""")
    found = []
    for step in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(ROUND):
            return found if step else ["the keyboard reaches nothing"]
        covered = page.evaluate(COVERED)
        if covered:
            found.append("hidden focus: " + covered)
    return found


def first_byte(page, address, times=5):
    """The milliseconds until the first byte of a page: the median of some loads."""
    measured = []
    for _ in range(times):
        # A page may be about to load itself once more.
        page.goto("about:blank")
        page.goto(address)
        measured.append(page.evaluate(FIRST_BYTE))
    return statistics.median(measured)
