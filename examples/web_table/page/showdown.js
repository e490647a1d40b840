// The two reveals, who is paid, and the score.

import { cardGroup, sorted, stillCard } from "./cards.js";
import { h, show, signed } from "./dom.js";

export function showShowdown(section, update, ask) {
  const { view, seats } = update;
  if (!["show-low", "show-high", "over"].includes(view.phase)) return show(section, null);
  const names = seats.map((seat) => seat.name);
  const { phase, seat, low_hands, high_hands, low_award, high_award, result, arrangement } = view;
  show(section, { phase, names, low_hands, high_hands, result }, () => [
    half("Low", low_hands, low_award, names, seat, arrangement?.low),
    phase !== "show-low" && half("High", high_hands, high_award, names, seat, arrangement?.high),
    result && outcome(result, names, seat),
    seat !== null && buttons(view, ask),
  ]);
}

function half(name, hands, award, names, me, mine) {
  const order = hands.map((_, seat) => seat);
  // The best hand first, once all are up; before that, the order of the seats must tell nothing.
  if (award) order.sort((a, b) => award.values[a].rank - award.values[b].rank || a - b);
  return h(
    "div",
    { class: "half" },
    h("h2", {}, award ? `${name}: ${award.amount} paid` : name, award?.stayed ? h("small", {}, ` ${award.stayed} stay in the pot`) : null),
    h("ol", {}, order.map((seat) => hand(hands[seat], award, names[seat], seat, seat === me ? mine : null, name))),
  );
}

function hand(cards, award, owner, seat, mine, half) {
  const wins = award?.winners.includes(seat);
  const own = cards === null && mine;
  const worth = award ? award.values[seat].text : own ? "only you see it" : cards === null ? "face down" : "";
  return h(
    "li",
    { class: `hand${wins ? " wins" : ""}${own ? " own" : ""}` },
    h("b", { class: "name" }, owner),
    cardGroup(`${owner}'s ${half.toLowerCase()} hand`, cards || mine ? sorted(cards ?? mine, "rank").map(stillCard) : Array.from({ length: 5 }, () => stillCard(null)), { class: "tiny" }),
    h("span", { class: "worth" }, wins && h("b", { class: "paid" }, `+${award.shares[seat]} `), worth),
  );
}

function outcome(result, names, me) {
  const words = names.map((name, seat) => h("li", { class: seat === me ? "me" : "" }, h("span", {}, name), h("b", {}, signed(result.nets[seat]))));
  return h("div", { class: "outcome" }, h("h2", {}, "This deal"), h("ul", {}, words), result.carried ? h("p", {}, `${result.carried} carried to the next deal`) : null);
}

// Anybody may turn up all hands at once; for suspense, each turns up its own.
function buttons(view, ask) {
  const half = { "show-low": "low", "show-high": "high" }[view.phase];
  if (!half) return null;
  const isUp = view[`${half}_hands`][view.seat] !== null;
  return h(
    "div",
    { class: "buttons" },
    h("button", { type: "button", class: "primary", "data-key": `all ${half}`, onclick: () => ask({ type: "showdown", half }) }, `Turn up all ${half} hands`),
    !isUp && h("button", { type: "button", "data-key": `mine ${half}`, onclick: () => ask({ type: "move", move: `show ${view.seat}` }) }, "Only mine"),
  );
}

export function showScore(section, update) {
  const { seats, results, deals, view } = update;
  const names = seats.map((seat) => seat.name);
  const balances = seats.map((seat) => seat.balance);
  if (!deals) return show(section, null);
  show(section, { names, balances, deals }, () => [
    h("h2", {}, "Score"),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Score, deal by deal" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Deal"), names.map((name, seat) => h("th", { scope: "col", class: seat === view.seat ? "me" : "" }, name)))),
        h(
          "tbody",
          {},
          results.map((result, nth) =>
            h("tr", {}, h("th", { scope: "row" }, deals - results.length + nth + 1), result.nets.map((net) => h("td", {}, signed(net)))),
          ),
        ),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All"), balances.map((balance) => h("td", {}, signed(balance))))),
      ),
    ),
  ]);
}
