// What makes the pages handier. Each of them works without it.
"use strict";

// Filters apply when they are changed; the button stays for those who type.
for (const form of document.querySelectorAll("form[data-auto]")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, input[type=checkbox], input[type=range]")) form.requestSubmit();
  });
}

// Where a line comes from: a click keeps it open, Escape closes it. Without a script the link leads there.
const lines = document.querySelectorAll(".item");
for (const link of document.querySelectorAll("a[data-origin]")) {
  const item = link.closest(".item");
  const card = item && item.querySelector(":scope > .origin");
  if (!card) continue;
  link.setAttribute("role", "button");
  link.setAttribute("aria-expanded", "false");
  const set = (open) => {
    item.classList.toggle("open", open);
    link.setAttribute("aria-expanded", String(open));
  };
  const toggle = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const open = !item.classList.contains("open");
    for (const other of lines) other.classList.remove("open");
    for (const other of document.querySelectorAll("a[data-origin]")) other.setAttribute("aria-expanded", "false");
    set(open);
  };
  link.addEventListener("click", toggle);
  link.addEventListener("keydown", (event) => {
    if (event.key === " ") toggle(event);
    if (event.key === "Escape") set(false);
  });
}

// Folded lines open when an address leads to one of them.
function unfold() {
  let at = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (!at) return;
  const target = at;
  for (; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView({ block: "center" });
}
window.addEventListener("hashchange", unfold);
unfold();

// Copying needs a script, so its button comes with it.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  });
}

// What takes long says so, and is not sent twice.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", () => {
    form.setAttribute("aria-busy", "true");
    setTimeout(() => form.querySelectorAll("button").forEach((button) => (button.disabled = true)), 0);
  });
}
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form[method=post] button")) button.disabled = false;
});
