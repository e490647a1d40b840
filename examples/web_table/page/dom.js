// Elements from JavaScript. Text always goes in as text: a name is never read as HTML.

export const $ = (selector) => document.querySelector(selector);

// h("button", { class: "primary", onclick: f, "aria-label": "…" }, "text", child, …)
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

// Builds a section anew when what it shows has changed, and only then: the focus, a card being dragged and a screen
// reader are left alone. The focus stays on what has the same data-key, or goes to the first card or button.
export function show(section, key, build) {
  const text = JSON.stringify(key);
  section.hidden = key === null;
  if (section.dataset.shows === text) return false;
  section.dataset.shows = text;
  const focused = section.contains(document.activeElement) ? document.activeElement : null;
  section.replaceChildren(...(key === null ? [] : build().filter(Boolean)));
  if (focused) {
    const same = focused.dataset.key && section.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
    (same || section.querySelector("button.card, button:not(:disabled)"))?.focus();
  }
  return true;
}

export const chips = (number) => (number === 1 ? "1 chip" : `${number} chips`);
export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
