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
