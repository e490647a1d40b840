// Cards as people see them, and groups of cards that the keyboard can walk through.

import { h } from "./dom.js";

const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace",
};
const ORDER = Object.keys(RANKS).sort((a, b) => "23456789TJQKA".indexOf(a) - "23456789TJQKA".indexOf(b));
// With the sign that asks for a text symbol, not for a picture.
const SUITS = { s: ["♠\uFE0E", "spades"], h: ["♥\uFE0E", "hearts"], d: ["♦\uFE0E", "diamonds"], c: ["♣\uFE0E", "clubs"] };
const SUIT_ORDER = "shdc";

export const cardName = (card) => `${RANKS[card[0]]} of ${SUITS[card[1]][1]}`;

const byRank = (a, b) => ORDER.indexOf(b[0]) - ORDER.indexOf(a[0]) || SUIT_ORDER.indexOf(a[1]) - SUIT_ORDER.indexOf(b[1]);
const bySuit = (a, b) => SUIT_ORDER.indexOf(a[1]) - SUIT_ORDER.indexOf(b[1]) || byRank(a, b);

export const sorted = (cards, order) => [...cards].sort(order === "suit" ? bySuit : byRank);

function face(card) {
  return [
    h("span", { class: "rank", "aria-hidden": "true" }, card[0] === "T" ? "10" : card[0]),
    h("span", { class: "suit", "aria-hidden": "true" }, SUITS[card[1]][0]),
  ];
}

// A card to look at; null is one that lies face down.
export function stillCard(card) {
  if (card === null) return h("span", { class: "card back", role: "img", "aria-label": "face down" });
  return h("span", { class: `card ${card[1]}`, role: "img", "aria-label": cardName(card) }, ...face(card));
}

export function cardButton(card, properties = {}) {
  return h(
    "button",
    { type: "button", class: `card ${card[1]}`, "data-card": card, "data-key": card, "aria-label": cardName(card), ...properties },
    ...face(card),
  );
}

// A group of cards is one stop of the Tab key; the arrow keys, Home and End walk inside.
export function cardGroup(label, cards, properties = {}) {
  const group = h("div", { role: "group", "aria-label": label, ...properties, class: `cards ${properties.class ?? ""}` }, ...cards);
  const buttons = () => [...group.querySelectorAll("button.card")];
  buttons().forEach((button, nth) => (button.tabIndex = nth ? -1 : 0));
  group.addEventListener("focusin", (event) => {
    for (const button of buttons()) button.tabIndex = button === event.target ? 0 : -1;
  });
  group.addEventListener("keydown", (event) => {
    const all = buttons();
    const here = all.indexOf(document.activeElement);
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = {
      ArrowLeft: () => all[here - 1],
      ArrowRight: () => all[here + 1],
      ArrowUp: () => inNextRow(all.slice(0, here).reverse(), all[here]),
      ArrowDown: () => inNextRow(all.slice(here + 1), all[here]),
      Home: () => all[0],
      End: () => all.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next()?.focus();
  });
  return group;
}

// The button of the nearest other row that is closest to straight above or below.
function inNextRow(others, from) {
  const row = others.find((button) => button.offsetTop !== from.offsetTop)?.offsetTop;
  const distance = (button) => Math.abs(button.offsetLeft - from.offsetLeft);
  return others.filter((button) => button.offsetTop === row).sort((a, b) => distance(a) - distance(b))[0];
}
