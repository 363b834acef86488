// Keys for people who leave the mouse alone. Those of one letter can get in the way of dictation and of other software
// (WCAG 2.1.4): they rest while the focus is in a field, and the box in the list of keys turns them off in this browser.
// Then what has a modifier, Enter and Escape go on.
const KEYS = [
  ["/", "Search (also Ctrl+K, ⌘K)"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["x", "Tick the row (also Space)"],
  ["Shift+click", "Tick all from the last one to this"],
  ["e", "Change the budget of the row"],
  ["Enter", "Open the row"],
  ["Esc", "Close, and go back to where you were"],
  ["?", "These keys"],
];
let areKeysOn = true;
try {
  areKeysOn = localStorage.getItem("keys") !== "off";
} catch {
  // A browser may refuse to keep things. Then the box counts for this page.
}
function showKeys() {
  let list = document.getElementById("keys");
  if (!list) {
    list = document.body.appendChild(document.createElement("dialog"));
    list.id = "keys";
    list.setAttribute("aria-labelledby", "keys-title");
    const rows = KEYS.map(([key, does]) => `<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`).join("");
    list.innerHTML = `<h2 id="keys-title">Keyboard</h2><dl>${rows}</dl>
<label class="choice"><input type="checkbox">Use keyboard shortcuts</label>
<form method="dialog"><button>Close</button></form>`;
    const box = list.querySelector("input");
    box.checked = areKeysOn;
    box.addEventListener("change", () => {
      areKeysOn = box.checked;
      localStorage.setItem("keys", areKeysOn ? "on" : "off");
    });
  }
  list.showModal();
}

// Where there is no search, the one of the list of campaigns is. Escape leaves it with the words that it had.
let beforeSearch;
function search() {
  const field = document.querySelector("main input[type=search]");
  const list = document.querySelector("nav a[href='/dashboard/campaigns']");
  const fold = field?.closest("details:not([open])");
  if (fold) {
    fold.open = true;
  }
  beforeSearch = document.activeElement === field ? beforeSearch : document.activeElement;
  field?.focus();
  field?.select();
  if (!field && list) {
    location.assign(list.href + "#filter-search");
  }
  return field ?? list;
}

function leave(field) {
  field.value = field.defaultValue;
  field.blur();
  beforeSearch?.focus();
}

// The row in which the focus was last, also while it is elsewhere, such as in the search.
let lastRow;
document.addEventListener("focusin", ({ target }) => (lastRow = rowOf(target) ?? lastRow));
function move(step) {
  const places = [...document.querySelectorAll("main tbody tr:not(.editor)")]
    .map((row) => row.querySelector("[type=checkbox], a:not(.skip), button"))
    .filter((place) => place?.getClientRects().length);
  const at = places.findIndex((place) => rowOf(place) === lastRow) + step;
  places[Math.max(0, Math.min(at, places.length - 1))]?.focus();
}

const acts = {
  "/": search,
  "?": showKeys,
  j: () => move(1),
  k: () => move(-1),
  x: (row) => row?.querySelector("[type=checkbox]")?.click(),
  e: (row) => row?.querySelector(".amount")?.click(),
};
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) {
    return;
  }
  const [row, letter] = [rowOf(target), key.toLowerCase()];
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (key === "Escape" && target.matches("main input[type=search]")) {
    event.preventDefault();
    leave(target);
  } else if (key === "Escape") {
    target.closest(".row-budget")?.querySelector("a").click();
  } else if (key === "Enter" && row && target.type === "checkbox") {
    // A browser would press the first button of the form, and pause what is ticked.
    event.preventDefault();
    row.querySelector("a:not(.skip)")?.click();
  } else if (letter === "k" && event.ctrlKey !== event.metaKey && !event.altKey) {
    search() && event.preventDefault();
  } else if (areKeysOn && !hasModifier && Object.hasOwn(acts, letter) && !target.closest(FIELDS)) {
    event.preventDefault();
    acts[letter](row);
  }
});
document.addEventListener("click", ({ target }) => target.closest("[data-keys]") && showKeys());

// With Shift, all boxes from the one that was pressed last to this one become like this one.
let lastBox;
const isRange = (event) => event.shiftKey && rowOf(event.target)?.querySelector("[type=checkbox]");
document.addEventListener("mousedown", (event) => {
  if (isRange(event) && event.target.closest(".tick")) {
    event.preventDefault();
  }
});
document.addEventListener("click", (event) => {
  const { target } = event;
  if (target.type !== "checkbox" || !rowOf(target)) {
    return;
  }
  const boxes = [...document.querySelectorAll("main tbody tr [type=checkbox]")];
  const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(target)].sort((a, b) => a - b);
  if (isRange(event) && from >= 0) {
    boxes.slice(from, to + 1).forEach((box) => (box.checked = target.checked));
    target.focus();
  }
  lastBox = target;
});

// The budget of a row opens and closes in its place, so that ticks and scroll stay. Without the script it is another page.
let opener;
const goesOn = (page) => page.querySelector("meta[name=goes-on]");
function stands(address) {
  history.replaceState(null, "", address);
  // What completes the page later is the page as it is now.
  completeLater();
}
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target.id !== "edit") {
    return;
  }
  event.preventDefault();
  opener = rowOf(document.activeElement) ? document.activeElement : submitter;
  const address = `${target.action}?${new URLSearchParams(new FormData(target, submitter))}`;
  const page = await renew(address);
  if (page) {
    goesOn(document)?.remove();
    document.head.append(goesOn(page) ?? "");
    stands(address);
    focusPlace();
  } else if (pressed.size === 0) {
    location.assign(address);
  }
});
document.addEventListener("click", (event) => {
  const link = event.target.closest(".row-budget a[href^='/dashboard/campaigns?']");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const row = document.getElementById(link.hash.slice(1));
    (row?.contains(opener) ? opener : row?.querySelector(".amount"))?.focus();
    link.closest("tr").remove();
    const meta = goesOn(document);
    const [path, query] = meta?.content.split("?") ?? [];
    const rest = new URLSearchParams(query);
    rest.delete("edit");
    meta?.setAttribute("content", `${path}?${rest}`);
    stands(link.href.replace(/\??#.*/, ""));
  }
});
