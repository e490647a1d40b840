// What a seat, or a spectator, sees of the table: each update says everything, and this shows it.

import { Arranging } from "./arrange.js";
import { cardButton, cardGroup, cardName, sorted, stillCard } from "./cards.js";
import { $, chips, h, listed, show, signed } from "./dom.js";
import { showScore, showShowdown } from "./showdown.js";

const ORDER_KEPT = "order of cards";
const LOWS = {
  "deuce-to-seven": "7-5-4-3-2",
  "ace-to-five": "5-4-3-2-A",
  "ace-to-six": "6-4-3-2-A",
  "deuce-to-six": "6-5-4-3-2",
};

export class Table {
  constructor(ask) {
    this.rawAsk = ask;
    this.order = localStorage.getItem(ORDER_KEPT) === "suit" ? "suit" : "rank";
    this.selected = null;
    this.arranging = new Arranging($("#arrange"), (message) => this.ask(message));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#select(null);
    });
  }

  // Ask the server; what it refuses, or a lost connection, is told in words. Resolves with the answer, or null.
  async ask(message) {
    $("#trouble").textContent = "";
    try {
      const answer = await this.rawAsk(message);
      if (answer.type !== "refused") return answer;
      $("#trouble").textContent = answer.message;
    } catch (error) {
      $("#trouble").textContent = error.message;
    }
    return null;
  }

  show(update) {
    const old = this.update;
    this.update = update;
    const { view } = update;
    this.moved = Boolean(old) && old.deal === update.deal && old.view.round !== view.round;
    if (!view.pack.includes(this.selected)) this.selected = null;
    this.#showFacts();
    this.#showOthers();
    this.#showPack();
    this.#showPool();
    this.arranging.show(update, this.order);
    showShowdown($("#showdown"), update, (message) => this.ask(message));
    this.#showBegin();
    this.#showMine();
    showScore($("#score"), update);
    this.#say();
  }

  name(seat) {
    return this.update.seats[seat].name;
  }

  #showFacts() {
    const { view, deal } = this.update;
    const turn = ["pick", "pass"].includes(view.phase) ? ` · pick ${view.round + 1} of ${view.rules.hand_size}` : "";
    const carried = view.carried ? ` (${view.carried} carried)` : "";
    $("#facts").textContent = `Deal ${deal}${turn} · pot ${view.pot}${carried} · low ${LOWS[view.rules.low]}`;
    $("#facts").title = `low hands: ${view.rules.low}`;
  }

  // Everybody else in the order in which packs travel: from your left neighbour round to your right one.
  #showOthers() {
    const { view, seats } = this.update;
    const first = view.seat === null ? 0 : view.seat + 1;
    const count = view.seat === null ? seats.length : seats.length - 1;
    const order = Array.from({ length: count }, (_, nth) => (first + nth) % seats.length);
    const tiles = order.map((seat) => ({ seat, ...seats[seat], ...this.#doing(seat), deals: seat === view.dealer }));
    const watching = view.seat === null;
    show($("#others"), { tiles, watching }, () => tiles.map((tile) => this.#tile(tile, watching)));
    $("#others").classList.toggle("moved", this.moved);
  }

  // What a seat is doing, in a word; and how many cards its pack has, which everybody can count.
  #doing(seat) {
    const { view, seats } = this.update;
    const waiting = view.to_act.includes(seat);
    const inPack = view.rules.hand_size - view.round;
    switch (view.phase) {
      case "pick":
      case "pass":
        return { word: waiting ? "choosing" : "has picked", done: !waiting, pack: waiting ? inPack : inPack - 1 };
      case "arrange":
        return { word: waiting ? "arranging" : "hands set", done: !waiting };
      case "show-low":
      case "show-high": {
        const up = view[view.phase === "show-low" ? "low_hands" : "high_hands"][seat] !== null;
        return { word: up ? "shown" : "face down", done: up };
      }
      default: {
        const ready = seats[seat].ready || seats[seat].bot || seats[seat].covered;
        return { word: ready ? "ready" : "not ready yet", done: ready };
      }
    }
  }

  #tile(tile, watching) {
    const presence = tile.covered ? "a bot plays" : tile.away ? "away" : tile.present ? null : "gone for a moment";
    const cover = !watching && !tile.bot && (tile.away || tile.covered);
    return h(
      "li",
      { class: `tile${tile.done ? " done" : ""}${tile.present ? "" : " absent"}`, "data-seat": tile.seat },
      h("b", { class: "name", title: tile.name }, tile.name),
      tile.deals && h("span", { class: "dealer", title: "deals", role: "img", "aria-label": "deals" }, "D"),
      h("span", { class: "balance" }, `${signed(tile.balance)} chips`),
      h("span", { class: "word" }, tile.word),
      presence && h("span", { class: "presence" }, presence),
      tile.pack > 0 && h("span", { class: "minipack", title: `${tile.pack} cards in the pack` }, tile.pack),
      cover &&
        h(
          "button",
          {
            type: "button",
            "data-key": `cover ${tile.seat}`,
            "aria-label": tile.covered ? `Wait for ${tile.name} again` : `Let a bot play for ${tile.name}`,
            onclick: () => this.ask({ type: "cover", seat: tile.seat, on: !tile.covered }),
          },
          tile.covered ? "Wait instead" : "Let a bot play",
        ),
    );
  }

  #showPack() {
    const { view, seats } = this.update;
    if (view.seat === null || !["pick", "pass"].includes(view.phase)) return show($("#pack"), null);
    const mayPick = view.to_act.includes(view.seat);
    const from = this.name((view.seat + seats.length - 1) % seats.length);
    const to = this.name(view.passes_to[view.seat]);
    const key = { pack: view.pack, round: view.round, mayPick, order: this.order, from, to };
    const isNew = show($("#pack"), key, () => [
      h(
        "div",
        { class: "heading" },
        h("h2", {}, mayPick ? "Keep one" : `For ${to}`),
        h("p", {}, mayPick ? (view.round ? `from ${from}, then to ${to}` : `the rest goes to ${to}`) : "goes when all have picked"),
        this.#orderButton(),
      ),
      cardGroup(
        mayPick ? "Your pack" : "The cards that you pass on",
        sorted(view.pack, this.order).map((card) =>
          mayPick
            ? cardButton(card, { "aria-pressed": "false", onclick: () => this.#press(card) })
            : stillCard(card),
        ),
        { class: mayPick ? "choice" : "leaving" },
      ),
      mayPick && h("p", { id: "confirm", "aria-live": "polite" }),
    ]);
    if (isNew && mayPick && this.moved) this.#receivePack();
    this.#select(this.selected);
  }

  // A pack has come: it flies in, and who picks by keyboard goes on in it.
  #receivePack() {
    $("#pack .cards").classList.add("arriving");
    const focused = document.activeElement;
    if (focused === document.body || $("#pack").contains(focused)) {
      $("#pack button.card").focus({ preventScroll: true });
    }
  }

  #orderButton() {
    const other = this.order === "rank" ? "suit" : "rank";
    return h(
      "button",
      { type: "button", class: "plain", "data-key": "order", onclick: () => this.#sortBy(other) },
      `Sort by ${other}`,
    );
  }

  #sortBy(order) {
    this.order = order;
    localStorage.setItem(ORDER_KEPT, order);
    this.moved = false;
    this.#showPack();
    this.#showPool();
    this.arranging.show(this.update, this.order);
  }

  // The first click chooses, the second on the same card keeps it.
  async #press(card) {
    if (this.selected !== card) {
      this.#select(card);
      return;
    }
    this.#select(null);
    await this.ask({ type: "move", move: `pick ${this.update.view.seat} ${card}` });
  }

  #select(card) {
    this.selected = card;
    for (const button of document.querySelectorAll("#pack button.card")) {
      button.setAttribute("aria-pressed", String(button.dataset.card === card));
    }
    const confirm = $("#confirm");
    if (confirm) confirm.textContent = card ? `Click the ${cardName(card)} again to keep it.` : "Click a card to choose it.";
  }

  #showPool() {
    const { view } = this.update;
    const here = view.seat !== null && view.pool.length && ["pick", "pass"].includes(view.phase);
    if (!here) return show($("#pool"), null);
    show($("#pool"), { pool: view.pool, order: this.order }, () => [
      h("div", { class: "heading" }, h("h2", {}, "Kept"), h("p", {}, `${view.pool.length} of ${view.rules.hand_size}`)),
      cardGroup("The cards you kept", sorted(view.pool, this.order).map(stillCard), { class: "small" }),
    ]);
  }

  #showBegin() {
    const { view, seats, next_deal: deal } = this.update;
    const people = seats.filter((seat) => !seat.bot && !seat.covered);
    const waiting = people.filter((seat) => !seat.ready).map((seat) => seat.name);
    if (deal === null || view.seat === null) return show($("#begin"), null);
    const ready = seats[view.seat].ready;
    show($("#begin"), { deal, ready, waiting }, () => [
      ready
        ? h("p", {}, `You are ready. Waiting for ${listed(waiting)}.`)
        : h(
            "button",
            { type: "button", class: "primary", "data-key": "next", onclick: () => this.ask({ type: "next", deal }) },
            deal === 1 ? "Ready: deal the cards" : "Next deal",
          ),
    ]);
  }

  #showMine() {
    const { view, seats } = this.update;
    if (view.seat === null) return show($("#mine"), null);
    const me = seats[view.seat];
    show($("#mine"), { name: me.name, deals: view.dealer === view.seat, balance: me.balance }, () => {
      const field = h("input", { name: "name", value: me.name, maxlength: 20, required: true, autocomplete: "off", "data-key": "name" });
      const rename = (event) => {
        event.preventDefault();
        if (field.value.trim() !== me.name) this.ask({ type: "name", name: field.value.trim() });
      };
      return [
        h("form", { onsubmit: rename }, h("label", {}, "Your name ", field), h("button", { "data-key": "rename" }, "Change")),
        h("p", {}, `${signed(me.balance)} chips`, view.dealer === view.seat ? " · you deal" : ""),
      ];
    });
  }

  // One sentence says what the table waits for; a screen reader reads it when it changes.
  #say() {
    const { view, seats } = this.update;
    const others = view.to_act.filter((seat) => seat !== view.seat).map((seat) => this.name(seat));
    const mine = view.seat !== null && view.to_act.includes(view.seat);
    const waiting = others.length ? `Waiting for ${listed(others)}.` : "";
    const text = {
      deal: () => (view.seat === null ? "The cards are dealt when everybody is ready." : "Welcome. The cards are dealt when everybody is ready."),
      pick: () => (mine ? `Your pick: ${view.pack.length} cards are in your pack.` : waiting),
      pass: () => "The packs move.",
      arrange: () => (mine ? "Set a low and a high hand from your cards." : waiting),
      "show-low": () => `All hands are set. The low half is ${chips(Math.floor(view.pot / 2))}.`,
      "show-high": () => `${this.#won(view.low_award)} Now the high hands.`,
      over: () => this.#won(view.high_award),
    }[view.phase]();
    if ($("#say").textContent !== text) $("#say").textContent = text;
    document.title = `${mine ? "● " : ""}${view.seat === null ? "Watching" : seats[view.seat].name} – Essen high-low`;
  }

  #won(award) {
    const names = listed(award.winners.map((seat) => (seat === this.update.view.seat ? "you" : this.name(seat))));
    const wins = award.winners.length > 1 ? "share" : names === "you" ? "win" : "wins";
    const text = `${names} ${wins} the ${award.half} half, ${chips(award.amount)}: ${award.values[award.winners[0]].text}.`;
    const rest = award.stayed ? ` ${chips(award.stayed)} stay in the pot.` : "";
    return text[0].toUpperCase() + text.slice(1) + rest;
  }
}
