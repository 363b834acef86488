// The console: sends a request to this API with a test key. The key is in its field only and is never stored.
"use strict";

const consoleForm = document.getElementById("console");
const keyField = document.getElementById("key");
const keyProblem = consoleForm.querySelector(".problem");

// The API is where this page is: `/v1/docs/campaigns` describes `/v1/campaigns`.
const base = new URL(location.pathname.replace(/docs.*$/, ""), location.origin);

/** Why a key is not sent; empty if it is. */
function problemOf(key) {
  if (key.startsWith("uac_live_")) {
    return "This is a live key: it can spend money. The console takes test keys (uac_test_…) only.";
  }
  if (key !== "" && !key.startsWith("uac_test_")) return "A test key begins with uac_test_.";
  return "";
}

/** The request that a form describes. */
function requestOf(form) {
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim();
    if (value === "") continue;
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    if (field.dataset.in === "query") query.append(field.name, value);
    if (field.dataset.in === "header") headers.set(field.name, value);
  }
  if (!("public" in form.dataset)) headers.set("X-API-Key", keyField.value.trim());
  const body = form.elements.body?.value;
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const url = new URL(path.slice(1), base);
  url.search = query.toString();
  return new Request(url, {
    method: form.dataset.method,
    headers,
    body,
    cache: "no-store",
    credentials: "omit",
    redirect: "manual",
  });
}

/** JSON on several lines; any other text as it is. */
function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function add(parent, name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
}

async function show(output, request) {
  const start = performance.now();
  const response = await fetch(request);
  const text = await response.text();
  const time = Math.round(performance.now() - start);
  const hidden = response.type === "opaqueredirect";
  add(output, "h5", hidden ? "A redirect, which browsers do not show" : `Status ${response.status}, ${time} ms`);
  if (hidden) return;
  add(output, "pre", [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"));
  if (text !== "") add(output, "pre", formatted(text));
}

async function send(form) {
  const problem = form.querySelector(".problem");
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  const key = keyField.value.trim();
  output.replaceChildren();
  problem.textContent = "public" in form.dataset ? "" : problemOf(key);
  if (key === "" && !("public" in form.dataset)) problem.textContent = "Enter a test key at the top of the page.";
  if (problem.textContent !== "") return;
  button.disabled = true;
  try {
    await show(output, requestOf(form));
  } catch (error) {
    problem.textContent = `The request was not sent, or its response did not arrive: ${error.message}`;
  }
  button.disabled = false;
}

consoleForm.addEventListener("submit", (event) => event.preventDefault());
keyField.addEventListener("input", () => {
  keyProblem.textContent = problemOf(keyField.value.trim());
});
for (const form of document.querySelectorAll("form.try")) {
  const example = form.parentElement.querySelector(".body code");
  if (example) form.elements.body.value = example.textContent;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
for (const field of document.querySelectorAll("input, textarea")) {
  field.autocomplete = "off";
  field.spellcheck = false;
}
for (const form of document.querySelectorAll("form[hidden]")) form.hidden = false;
