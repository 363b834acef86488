// Pages are complete without this script. What only works with it is hidden until it runs.
const day = { day: "numeric", month: "short", year: "numeric" };
const minute = { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const zoned = new Intl.DateTimeFormat("en-GB", minute);
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const exact = new Intl.DateTimeFormat("en-GB", { ...minute, second: "2-digit" });
function prepare(page) {
  for (const element of page.querySelectorAll("[data-script]")) {
    element.hidden = false;
  }
  // Times are in UTC without the script, and in the zone of the browser with it. Both name the zone.
  for (const time of page.querySelectorAll("time[datetime*=T]")) {
    const at = new Date(time.dateTime);
    if (!time.title && !isNaN(at)) {
      time.title = time.textContent;
      const isToday = /^\d\d:/.test(time.title) && at.toDateString() === new Date().toDateString();
      const format = isToday ? clock : /:\d\d:/.test(time.title) ? exact : zoned;
      time.textContent = format.format(at).replace(/ (\S+)$/, "\u00a0$1");
    }
  }
}
prepare(document);

// A time that a person types is in UTC. Below it stands what that is in the zone of the browser.
function translate() {
  for (const input of document.querySelectorAll("input[type=datetime-local]")) {
    const said = input.parentNode.querySelector("output") ?? input.parentNode.appendChild(document.createElement("output"));
    said.className = "fine";
    said.textContent = input.value && "In your time: " + zoned.format(new Date(input.value + "Z"));
  }
}
document.addEventListener("input", translate);
translate();

// Copy buttons.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  }
});

// Makes an element like that of another page. What is the same stays: its focus, what was typed, and what is open.
const keyOf = (node) => node.nodeName + (node.id || node.getAttribute?.("aria-labelledby") || "");
function become(node, other) {
  if (node.isEqualNode(other)) {
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = other.nodeValue;
    return;
  }
  for (const name of node.getAttributeNames()) {
    if (!other.hasAttribute(name) && name !== "open") {
      node.removeAttribute(name);
    }
  }
  for (const { name, value } of other.attributes) {
    if (node.getAttribute(name) !== value && name !== "open") {
      node.setAttribute(name, value);
    }
  }
  const old = [...node.childNodes];
  for (const [place, part] of [...other.childNodes].entries()) {
    const found = old.findIndex((one) => keyOf(one) === keyOf(part));
    const kept = found < 0 ? part : old.splice(found, 1)[0];
    if (node.childNodes[place] !== kept) {
      node.insertBefore(kept, node.childNodes[place] ?? null);
    }
    if (kept !== part) {
      become(kept, part);
    }
  }
  old.forEach((one) => one.remove());
}

// Shows what is new on a page, without leaving it. Where that does not work, the page itself is loaded, unless the person
// has begun to do something.
const told = document.body.appendChild(document.createElement("p"));
told.className = "hidden";
told.setAttribute("role", "status");
let isBusy = false;
for (const kind of ["click", "input", "beforeunload"]) {
  addEventListener(kind, () => (isBusy = true));
}
async function renew(address) {
  const place = location.href;
  try {
    const reply = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const [main, shown, focused] = [page.querySelector("main"), document.querySelector("main"), document.activeElement];
    if (!reply.ok || reply.redirected || !main) {
      throw new Error(reply.status);
    }
    // Another answer may have come first.
    if (pressed.size > 0 || place !== location.href) {
      return;
    }
    prepare(main);
    // The outcome of a form is shown once, so the other page does not have it.
    const notice = document.getElementById("notice");
    if (notice) {
      main.insertBefore(notice.cloneNode(true), main.childNodes[[...shown.childNodes].indexOf(notice)]);
    }
    become(shown, main);
    count();
    translate();
    if (focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    // The row that an address opens may come later.
    isPlaced ||= !isBusy && document.activeElement === document.body && focusPlace();
    return page;
  } catch {
    if (!isBusy) {
      location.replace(address);
    }
  }
}

// The live log waits while the person fills in a form.
if (document.querySelector("[data-live]")) {
  setInterval(() => {
    if (document.querySelector("[data-live]") && !document.activeElement?.closest("form")) {
      renew(location.pathname + location.search);
    }
  }, 10_000);
}

// A page that is not complete takes what is missing from the complete one.
async function complete() {
  const meta = document.querySelector("meta[name=goes-on]");
  const page = meta && (await renew(meta.content));
  if (page) {
    const more = page.querySelector("meta[name=goes-on]");
    if (more) {
      meta.content = more.content;
      completeLater();
    } else {
      meta.remove();
      told.textContent = "The numbers are complete.";
    }
  }
}
let completion;
function completeLater() {
  clearTimeout(completion);
  completion = setTimeout(complete, 1_000);
}
completeLater();

// An open menu, also one of choices, closes when the person goes elsewhere, or presses Escape.
const openMenus = () => [...document.querySelectorAll(":is(nav details, .pick)[open]")];
for (const kind of ["click", "focusin"]) {
  document.addEventListener(kind, ({ target }) => openMenus().forEach((menu) => (menu.open = menu.contains(target))));
}
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && openMenus().at(-1);
  if (menu) {
    menu.open = false;
    menu.firstElementChild.focus();
  }
});

// A search that hides what does not match as the person types, and groups of which nothing is left. What is ticked stays.
for (const search of document.querySelectorAll("[data-find]")) {
  const place = document.getElementById(search.dataset.find);
  const [choices, groups] = [place.querySelectorAll("label:not(.all)"), place.querySelectorAll("fieldset")];
  search.addEventListener("input", () => {
    const words = search.value.trim().toLowerCase();
    for (const choice of choices) {
      const group = choice.closest("fieldset fieldset")?.querySelector("legend").textContent ?? "";
      choice.hidden = !choice.control.checked && !(group + choice.textContent).toLowerCase().includes(words);
    }
    groups.forEach((group) => (group.hidden = !group.querySelector("label:not(.all, [hidden])")));
    countGroups();
  });
  // Where there is no button for it, return searches, and does not send the form.
  search.addEventListener("keydown", (event) => !search.name && event.key === "Enter" && event.preventDefault());
}

// A box that ticks what is in sight of its group, and how many boxes of all groups are ticked.
const ofGroup = (all) => [...all.closest("fieldset").querySelectorAll("label:not(.all, [hidden]) input")];
function countGroups() {
  for (const all of document.querySelectorAll("[data-all-in]")) {
    const boxes = ofGroup(all);
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  }
  for (const place of document.querySelectorAll("[data-ticked-in]")) {
    const boxes = [...document.getElementById(place.dataset.tickedIn).querySelectorAll("label:not(.all) input")];
    place.textContent = `${boxes.filter((box) => box.checked).length} of ${boxes.length} ticked`;
  }
}

// The currency of a form stands at each of its amounts.
function showUnits() {
  document.querySelectorAll("[data-unit]").forEach((unit) => (unit.textContent = unit.closest("form").currency.value));
}
document.addEventListener("input", showUnits);

// The places that the browser knows.
document.getElementById("zones")?.append(...Intl.supportedValuesOf("timeZone").map((zone) => new Option(zone)));

// The time in the zone that a person chooses.
document.addEventListener("input", ({ target }) => {
  const said = document.getElementById("zone-now");
  if (said && target.name === "time_zone") {
    try {
      const zone = target.value.trim().replaceAll(" ", "_");
      const now = zone && new Intl.DateTimeFormat("en-GB", { ...minute, timeZone: zone }).format(new Date());
      said.textContent = now && `The time there now: ${now}.`;
    } catch {
      said.textContent = "";
    }
  }
});

// An account whose budget is typed is meant.
document.addEventListener("input", ({ target }) => {
  const box = target.matches(".create-rows .amount input") && target.closest("tr").querySelector("[name=targets]");
  if (box && target.value.trim()) {
    box.checked = true;
  }
});

// What is wrong with an amount; nothing for one that the server reads.
function problemOf(typed) {
  if (/^((0|[1-9]\d*)(\.\d+)?|\d+,\d{1,2})?$/.test(typed)) {
    return "";
  }
  if (/^[1-9]\d{0,2},\d{3}$/.test(typed)) {
    return `${typed} can be read two ways: write ${typed.replace(",", "")} or ${typed.replace(",", ".")}.`;
  }
  return "Write a number, such as 250.";
}
// Says what is wrong with an amount, in the place that has what the server says of it.
function say(field, problem) {
  const id = `${field.id}-error`;
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((one) => one && one !== id);
  document.getElementById(id)?.remove();
  if (problem) {
    const said = Object.assign(document.createElement("p"), { id, className: "error", textContent: problem });
    (field.parentNode.querySelector(".unit") ?? field).after(said);
    described.push(id);
  }
  told.textContent = problem;
  const state = { "aria-invalid": problem && "true", "aria-describedby": described.join(" ") };
  for (const [name, value] of Object.entries(state)) {
    if (value) {
      field.setAttribute(name, value);
    } else {
      field.removeAttribute(name);
    }
  }
}
// It is said when the field is left, and gone as soon as it is mended. What moves under a finger that is down would miss its click,
// so it waits for the finger.
const isAmount = ({ target }) => target.matches("input[inputmode=decimal]");
let isDown = false;
addEventListener("pointerdown", () => (isDown = true), true);
["pointerup", "pointercancel"].forEach((end) => addEventListener(end, () => (isDown = false), true));
document.addEventListener("change", (event) => {
  const tell = () => {
    const problem = isAmount(event) && problemOf(event.target.value.trim());
    if (problem) {
      say(event.target, problem);
    }
  };
  if (isDown) {
    addEventListener("pointerup", () => setTimeout(tell), { once: true });
  } else {
    tell();
  }
});
document.addEventListener("input", (event) => {
  if (isAmount(event) && document.getElementById(`${event.target.id}-error`) && !problemOf(event.target.value.trim())) {
    say(event.target, "");
  }
});

// Millionths as an amount.
function amount(millionths, decimals) {
  const digits = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: 6 });
  return digits.format(`${millionths}E-6`);
}

// What may be spent a day in the ticked campaigns, now and then by currency, and how many of them are of a kind. A line that
// is about none of them is hidden.
function countChange(form, ticked) {
  const sums = {};
  for (const { daily, currency, decimals } of ticked.map((box) => box.dataset).filter((one) => one.daily)) {
    const [now, then] = daily.split(" ").map(BigInt);
    const sum = (sums[currency] ??= { now: 0n, then: 0n, decimals });
    sum.now += now;
    sum.then += then;
  }
  const differences = [];
  const words = Object.keys(sums).sort().map((currency) => {
    const { now, then, decimals } = sums[currency];
    const [more, word] = now < then ? [then - now, "more"] : [now - then, "less"];
    const change = more === 0n ? "as much as now" : `${amount(more, decimals)} ${currency} ${word}`;
    if (more !== 0n) {
      differences.push(`${amount(more, decimals)} ${currency} a day ${word}`);
    }
    return `${amount(now, decimals)} → ${amount(then, decimals)} ${currency} a day: ${change}`;
  });
  const show = (place, text) => {
    place.closest("p").hidden = !text;
    place.textContent = text;
  };
  // One sum stands in the button; more would make it too long, and stand beside it.
  const [only, ...others] = differences;
  for (const button of document.querySelectorAll(`#${form} [data-tells]`)) {
    button.textContent += only && others.length === 0 ? `: ${only}` : "";
  }
  for (const place of document.querySelectorAll(`[data-difference=${form}]`)) {
    show(place, others.length > 0 ? differences.join(", ") : "");
  }
  for (const place of document.querySelectorAll(`[data-change=${form}]`)) {
    show(place, words.join("; "));
    document.querySelectorAll(`[data-for=${form}]`).forEach((label) => (label.textContent = "in the ticked campaigns"));
    for (const kind of document.querySelectorAll("[data-number]")) {
      const number = ticked.filter((box) => kind.dataset.number in box.dataset).length;
      show(kind, number && `${number} campaign${number === 1 ? "" : "s"}`);
    }
  }
}

// The row of a table in which something is.
const rowOf = (element) => element.closest("main tbody tr:not(.editor)");

// A box that ticks all boxes of a form on this page; how many and which are ticked, and the sum of their amounts: whole
// millionths, because a float is not exact.
function count() {
  for (const all of document.querySelectorAll("[data-all]")) {
    const boxes = [...document.querySelectorAll(`input[type=checkbox][form=${all.dataset.all}]`)];
    const ticked = boxes.filter((box) => box.checked);
    all.checked = boxes.length > 0 && ticked.length === boxes.length;
    all.indeterminate = !all.checked && ticked.length > 0;
    for (const button of document.querySelectorAll(`#${all.dataset.all} [data-count]`)) {
      button.textContent = `${button.dataset.count} ${ticked.length}`;
    }
    const sums = new Map();
    for (const [, millionths, decimals, unit] of ticked.map((box) => /(\d+) (\d) (.+)/.exec(box.dataset.amount)).filter(Boolean)) {
      sums.set(unit, { decimals, sum: (sums.get(unit)?.sum ?? 0n) + BigInt(millionths) });
    }
    const words = [...sums].map(([unit, { decimals, sum }]) => `${amount(sum, decimals)} ${unit}`);
    const names = ticked.map((box) => rowOf(box)?.querySelector("th a")?.textContent).filter(Boolean);
    const others = names.length > 3 ? ` and ${names.length - 2} more` : "";
    const texts = {
      ticked: `${ticked.length} of ${boxes.length} ticked`,
      sum: words.join(", "),
      names: names.slice(0, others ? 2 : 3).join(", ") + others,
    };
    for (const [part, text] of Object.entries(texts)) {
      document.querySelectorAll(`[data-${part}=${all.dataset.all}]`).forEach((place) => {
        place.textContent = text;
        place.title = part === "names" ? text : "";
      });
    }
    countChange(all.dataset.all, ticked);
  }
}
// A limit has the currency of most of the ad accounts that are ticked, unless one of them has the chosen one.
function followCurrency(form) {
  const ticked = [...form.querySelectorAll("[data-currency]:checked")].map((box) => box.dataset.currency);
  const uses = (code) => ticked.filter((one) => one === code).length;
  if (form.currency && ticked.length > 0 && !ticked.includes(form.currency.value)) {
    form.currency.value = ticked.reduce((most, code) => (uses(code) > uses(most) ? code : most));
  }
}
document.addEventListener("change", ({ target }) => {
  if ("allIn" in target.dataset) {
    ofGroup(target).forEach((box) => (box.checked = target.checked));
  }
  if (target.closest("#connections")) {
    followCurrency(target.form);
    countGroups();
    showUnits();
  }
  if (target.dataset.all) {
    const boxes = document.querySelectorAll(`input[type=checkbox][form=${target.dataset.all}]`);
    boxes.forEach((box) => (box.checked = target.checked));
  }
  count();
  // Beside what was ticked last stands a way to the actions, so that nobody has to walk through the other rows.
  const [way, cell] = [document.querySelector(".skip[href='#pause']"), target.closest(".list td")];
  if (way && cell) {
    const ticked = document.querySelectorAll("[form=bulk]:checked").length;
    cell.append(way);
    way.hidden = ticked === 0;
    way.textContent = `To the actions (${ticked} ticked)`;
  }
});
count();
countGroups();

// A browser may not focus what an address names, or what is no control. Beside such an address it leaves out an autofocus. So
// the script focuses the field that was refused in a row, the open budget of a row, the notice of a form that failed, the
// budget of a row that was saved, or the search.
const places = [
  ".list [aria-invalid]",
  ".row-budget [autofocus]",
  "#budget_amount:target",
  ".notice[autofocus]",
  "tr:target .amount",
  "[type=search]:target",
];
function focusPlace() {
  const found = places.map((place) => document.querySelector(place)).find(Boolean);
  found?.focus();
  if (found?.matches("#budget_amount")) {
    // What is typed replaces the amount. On a phone the button below it is in sight, too.
    found.select();
    found.closest("form").scrollIntoView({ block: "nearest" });
  }
  return found;
}
let isPlaced = focusPlace();

// A button that was pressed says that it works, and works once, until the next page is there.
const pressed = new Map();
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.defaultPrevented || event.target.method !== "post" || !button) {
    return;
  }
  if (event.target.hasAttribute("aria-busy")) {
    event.preventDefault();
    return;
  }
  event.target.setAttribute("aria-busy", "true");
  pressed.set(event.target, { button, nodes: [...button.childNodes] });
  // The form is sent with the button's value, so its text alone changes.
  button.replaceChildren("Working…");
  setTimeout(restore, 40_000);
});
function restore() {
  for (const [form, { button, nodes }] of pressed) {
    form.removeAttribute("aria-busy");
    button.replaceChildren(...nodes);
  }
  pressed.clear();
}
// The button "back" may show the page as it was left.
addEventListener("pageshow", (event) => event.persisted && restore());
