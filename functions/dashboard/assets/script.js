// Pages are complete without this script. What only works with it is hidden until it runs.
for (const element of document.querySelectorAll("[data-script]")) {
  element.hidden = false;
}

// Copy buttons.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

// The live log waits while the person fills in a form.
if (document.querySelector("[data-live]")) {
  setInterval(() => {
    if (!document.activeElement?.closest("form")) {
      location.reload();
    }
  }, 10_000);
}

// A page that is not complete goes on to the complete one, unless the person has begun to do something on it.
const next = document.querySelector("meta[name=goes-on]")?.content;
if (next) {
  const timer = setTimeout(() => location.replace(next), 1_000);
  const stay = () => {
    clearTimeout(timer);
    stop();
  };
  document.addEventListener("click", stay);
  document.addEventListener("input", stay);
}

// A search that hides what does not match as the person types. What is ticked stays.
for (const search of document.querySelectorAll("[data-find]")) {
  const choices = [...document.getElementById(search.dataset.find).querySelectorAll("label")];
  search.addEventListener("input", () => {
    const words = search.value.trim().toLowerCase();
    for (const choice of choices) {
      choice.hidden = !choice.control.checked && !choice.textContent.toLowerCase().includes(words);
    }
  });
}

// A box that ticks all boxes of a form on this page, and the number of those that are ticked.
for (const all of document.querySelectorAll("[data-all]")) {
  const boxes = [...document.querySelectorAll(`input[type=checkbox][form=${all.dataset.all}]`)];
  const number = document.querySelector(`[data-count=${all.dataset.all}]`);
  const count = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && !all.checked;
    number.textContent = `${ticked} of ${boxes.length} ticked`;
  };
  all.addEventListener("change", () => {
    boxes.forEach((box) => (box.checked = all.checked));
    count();
  });
  boxes.forEach((box) => box.addEventListener("change", count));
  count();
}

// Not every browser focuses what is no control: the notice of a form that failed.
document.querySelector(".notice[autofocus]")?.focus();

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
