// Making a table, and the links to send to friends.

import { $, h } from "./dom.js";

const KEPT = "links of the last table";

export function openLobby() {
  $("#lobby").hidden = false;
  const form = $("#new-table");
  form.seats.forEach((radio) => radio.addEventListener("change", () => offerBots(form)));
  offerBots(form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await makeTable(form);
  });
  $("#another").addEventListener("click", () => showLinks(null));
  // This tab alone remembers them, so that the way back from one's seat leads here.
  showLinks(JSON.parse(sessionStorage.getItem(KEPT)));
}

function offerBots(form) {
  const seats = Number(form.seats.value);
  const chosen = Math.min(Number(form.bots.value || 0), seats - 1);
  form.bots.replaceChildren(
    ...Array.from({ length: seats }, (_, bots) =>
      h("option", { value: bots, selected: bots === chosen }, bots === seats - 1 ? `${bots}: you alone against bots` : bots),
    ),
  );
}

async function makeTable(form) {
  $("#refusal").textContent = "";
  const wish = {
    seats: Number(form.seats.value),
    bots: Number(form.bots.value),
    ante: Number(form.ante.value),
    low: form.low.value,
    odd_chips: form.odd_chips.value,
  };
  try {
    const answer = await fetch("tables", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
    });
    const links = await answer.json();
    if (answer.ok) showLinks(links);
    else $("#refusal").textContent = links.message;
  } catch {
    $("#refusal").textContent = "The server does not answer: try again.";
  }
}

function showLinks(links) {
  if (links) sessionStorage.setItem(KEPT, JSON.stringify(links));
  else sessionStorage.removeItem(KEPT);
  $("#making").hidden = Boolean(links);
  $("#links").hidden = !links;
  if (!links) return;
  const rows = links.seats.map((link, seat) => (link ? linkRow(`Seat ${seat + 1}`, link, seat === 0) : botRow(seat)));
  $("#links ul").replaceChildren(...rows, linkRow("Spectators", links.spectators, false));
}

const botRow = (seat) => h("li", {}, h("b", {}, `Seat ${seat + 1}`), h("span", { class: "quiet" }, "is a bot's"));

function linkRow(name, link, isFirst) {
  const address = `${location.href.split("#")[0]}#${link}`;
  const field = h("input", { readonly: true, value: address, "aria-label": `The link for ${name}`, onfocus: () => field.select() });
  const copy = h("button", { type: "button", "aria-label": `Copy the link for ${name}` }, "Copy");
  copy.addEventListener("click", async () => {
    field.select();
    // Only pages from this machine or by https may use the clipboard; the old way works everywhere.
    if (navigator.clipboard) await navigator.clipboard.writeText(address);
    else document.execCommand("copy");
    copy.textContent = "Copied";
  });
  const go = h("a", { href: `#${link}`, class: isFirst ? "button primary" : "button", "aria-label": `Open ${name}` }, "Open");
  return h("li", {}, h("b", {}, name), field, copy, go);
}
