// Setting the two hands: click or drag cards into them, or take a suggestion.

import { cardButton, cardGroup, cardName, sorted, stillCard } from "./cards.js";
import { h, show } from "./dom.js";

const DRAFT = "hands in the making";
const TITLES = { low: "Low hand", high: "High hand", rest: "Your other cards" };

const percent = (part) => `${Math.round(100 * part)} %`;
const odds = ({ low_wins, high_wins, share }) =>
  `wins the high ${percent(high_wins)}, the low ${percent(low_wins)} of the time; ${percent(share)} of the pot`;

export class Arranging {
  constructor(section, ask) {
    this.section = section;
    this.ask = ask;
    this.hands = { low: [], high: [] };
    // The hand that the next click fills.
    this.target = "low";
    this.ways = null;
    this.worth = {};
  }

  show(update, order) {
    this.view = update.view;
    this.order = order;
    const { phase, seat, to_act, arrangement } = this.view;
    if (phase !== "arrange" || seat === null) {
      this.game = null;
      show(this.section, null);
      return;
    }
    if (!to_act.includes(seat)) {
      show(this.section, { arrangement }, () => [
        h("div", { class: "heading" }, h("h2", {}, "Your hands are set")),
        ...["low", "high"].map((zone) => cardGroup(TITLES[zone], sorted(arrangement[zone], "rank").map(stillCard), { class: "small" })),
      ]);
      return;
    }
    const game = `${update.deal} ${[...this.view.pool].sort().join("")}`;
    if (this.game !== game) this.#begin(game);
    this.#draw();
  }

  async #begin(game) {
    this.game = game;
    this.ways = null;
    this.worth = {};
    // A reload finds the hands as they lay.
    const kept = JSON.parse(sessionStorage.getItem(DRAFT));
    this.hands = kept?.game === game ? kept.hands : { low: [], high: [] };
    this.target = this.hands.low.length < 5 ? "low" : "high";
    this.#judge();
    const answer = await this.ask({ type: "suggest" });
    if (answer && this.game === game) {
      this.ways = answer.ways;
      this.#draw();
    }
  }

  get #rest() {
    return this.view.pool.filter((card) => !this.hands.low.includes(card) && !this.hands.high.includes(card));
  }

  #zoneOf(card) {
    return ["low", "high"].find((zone) => this.hands[zone].includes(card)) ?? "rest";
  }

  // Put a card into a hand (or "rest"). A full hand takes it only in exchange for one of its cards.
  #put(card, zone, other) {
    const from = this.#zoneOf(card);
    if (from === zone) return;
    if (zone !== "rest" && this.hands[zone].length === 5 && !this.hands[zone].includes(other)) return;
    const neighbour = this.#neighbour(card);
    const swap = zone !== "rest" && this.hands[zone].length === 5 ? other : null;
    if (from !== "rest") this.hands[from] = this.hands[from].filter((each) => each !== card);
    if (swap) this.hands[zone] = this.hands[zone].filter((each) => each !== swap);
    if (zone !== "rest") this.hands[zone].push(card);
    if (swap && from !== "rest") this.hands[from].push(swap);
    this.#changed();
    if (neighbour) this.section.querySelector(`[data-card="${neighbour}"]`)?.focus({ preventScroll: true });
  }

  // When the card that goes has the focus, the one beside it gets it: so a hand is filled key by key.
  #neighbour(card) {
    const button = document.activeElement;
    if (button?.dataset.card !== card) return null;
    const beside = [button.nextElementSibling, button.previousElementSibling];
    return beside.find((each) => each?.dataset.card)?.dataset.card;
  }

  #click(card) {
    if (this.#zoneOf(card) === "rest") this.#put(card, this.target);
    else this.#put(card, "rest");
  }

  #take(way) {
    this.hands = { low: [...way.low], high: [...way.high] };
    this.#changed();
  }

  #changed() {
    const full = (zone) => this.hands[zone].length === 5;
    if (full(this.target) && !(full("low") && full("high"))) this.target = full("low") ? "high" : "low";
    sessionStorage.setItem(DRAFT, JSON.stringify({ game: this.game, hands: this.hands }));
    this.worth = {};
    this.#draw();
    this.#judge();
  }

  // What full hands are worth is asked of the server, which knows the rules; so few clicks need no waiting.
  #judge() {
    clearTimeout(this.timer);
    const { low, high } = this.hands;
    if (low.length < 5 && high.length < 5) return;
    this.timer = setTimeout(async () => {
      const game = this.game;
      const answer = await this.ask({ type: "judge", low, high });
      if (answer && game !== null && this.game === game && low === this.hands.low && high === this.hands.high) {
        this.worth = { low: answer.low, high: answer.high };
        this.#showWorth();
      }
    }, 80);
  }

  #draw() {
    const { hands, target, ways, order } = this;
    show(this.section, { hands, target, ways, order, pool: this.view.pool }, () => [
      this.#zone("low"),
      this.#zone("high"),
      h("div", { class: "buttons" }, this.#setButton(), this.#clearButton()),
      this.#zone("rest"),
      this.#suggestions(),
    ]);
    this.#showWorth();
  }

  // In place: the answer may come while a card is being pressed, and a card built anew would lose the click.
  #showWorth() {
    for (const zone of ["low", "high"]) {
      const hint = this.section.querySelector(`[data-zone=${zone}] .heading p`);
      if (hint && this.worth[zone]) hint.textContent = this.worth[zone];
    }
  }

  #zone(zone) {
    const isHand = zone !== "rest";
    const cards = isHand ? this.hands[zone] : this.#rest;
    const holes = isHand ? Array.from({ length: 5 - cards.length }, () => h("span", { class: "card hole", "aria-hidden": "true" })) : [];
    const buttons = sorted(cards, isHand ? "rank" : this.order).map((card) => this.#card(card, zone));
    const label = isHand ? `${TITLES[zone]}, ${cards.length} of 5` : TITLES[zone];
    const title = isHand
      ? h("button", { type: "button", class: "plain", "data-key": `to ${zone}`, "aria-pressed": String(this.target === zone), onclick: () => this.#aim(zone) }, TITLES[zone])
      : TITLES[zone];
    const hint = isHand
      ? (this.target === zone && cards.length < 5 ? "click cards to put them here" : `${cards.length} of 5`)
      : this.#restHint(cards);
    return h(
      "div",
      { class: `zone${isHand && this.target === zone ? " target" : ""}`, "data-zone": zone },
      h("div", { class: "heading" }, h("h2", {}, title), h("p", { "aria-live": isHand ? "polite" : null }, hint)),
      cardGroup(label, [...buttons, ...holes]),
    );
  }

  #restHint(cards) {
    const spare = this.view.pool.length - 10;
    if (cards.length === spare) return spare ? "not used" : "all cards are used";
    return h("span", {}, "click or drag them up", h("span", { class: "keys" }, ", or press L or H"));
  }

  #aim(zone) {
    this.target = zone;
    this.#draw();
  }

  #card(card, zone) {
    const where = zone === "rest" ? `to the ${TITLES[this.target].toLowerCase()}` : "back";
    const button = cardButton(card, { "aria-label": `${cardName(card)}, ${where}`, onclick: () => this.#dragged || this.#click(card) });
    button.addEventListener("keydown", (event) => {
      const to = { l: "low", h: "high", Backspace: "rest", Delete: "rest" }[event.key];
      if (to && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.#put(card, to);
      }
    });
    button.addEventListener("pointerdown", (event) => this.#grab(event, card, button));
    return button;
  }

  #dragged = false;

  // Dragging by pointer events, which mouse, pen and finger share.
  #grab(down, card, button) {
    this.#dragged = false;
    if (down.button !== 0) return;
    const start = { x: down.clientX, y: down.clientY };
    let ghost = null;
    const move = (event) => {
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!ghost && Math.hypot(x, y) < 8) return;
      if (!ghost) {
        const box = button.getBoundingClientRect();
        ghost = button.cloneNode(true);
        ghost.classList.add("ghost");
        ghost.removeAttribute("data-key");
        Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
        document.body.append(ghost);
        button.classList.add("lifted");
        this.#dragged = true;
      }
      ghost.style.translate = `${x}px ${y}px`;
    };
    const end = (event) => {
      for (const [type, listener] of Object.entries({ pointermove: move, pointerup: end, pointercancel: end })) {
        document.removeEventListener(type, listener);
      }
      if (!ghost) return;
      ghost.remove();
      button.classList.remove("lifted");
      const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
      const zone = under?.closest("[data-zone]")?.dataset.zone;
      if (zone) this.#put(card, zone, under.closest("[data-card]")?.dataset.card);
      // The click that follows a drag is no click.
      setTimeout(() => (this.#dragged = false));
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

  #setButton() {
    const { low, high } = this.hands;
    const isFull = low.length === 5 && high.length === 5;
    return h(
      "button",
      {
        type: "button",
        class: "primary",
        "data-key": "set",
        disabled: !isFull,
        onclick: () => this.ask({ type: "move", move: `arrange ${this.view.seat} ${low.join("")} / ${high.join("")}` }),
      },
      isFull ? "Set both hands" : `${10 - low.length - high.length} cards to go`,
    );
  }

  #clearButton() {
    const isEmpty = !this.hands.low.length && !this.hands.high.length;
    return h("button", { type: "button", "data-key": "clear", disabled: isEmpty, onclick: () => this.#take({ low: [], high: [] }) }, "Clear");
  }

  // Every arrangement that no other beats: from the strongest high hand to the strongest low hand.
  #suggestions() {
    if (!this.ways) return h("p", {}, "Looking for good hands …");
    const same = (way) => ["low", "high"].every((zone) => [...way[zone]].sort().join() === [...this.hands[zone]].sort().join());
    const share = Math.max(...this.ways.map((way) => way.odds.share));
    const best = this.ways.findIndex((way) => way.odds.share === share);
    return h(
      "div",
      { class: "ways" },
      h("h2", {}, "Suggestions"),
      h("p", {}, "No other way beats any of these. The best high hand is first, the best low hand last."),
      h(
        "ol",
        {},
        this.ways.map((way, nth) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", "data-key": `way ${nth}`, "aria-pressed": String(same(way)), onclick: () => this.#take(way) },
              h("span", {}, way.high_text),
              h("span", {}, way.low_text),
              h("small", {}, odds(way.odds)),
              nth === best && h("small", { class: "best" }, "best on average"),
            ),
          ),
        ),
      ),
    );
  }
}
