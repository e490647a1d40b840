// Which page this is: with a secret after the # it is a seat, without one the lobby.

import { Connection } from "./connection.js";
import { $ } from "./dom.js";
import { openLobby } from "./lobby.js";
import { Table } from "./table.js";

const link = location.hash.slice(1);

window.addEventListener("hashchange", () => location.reload());

if (link) {
  const table = new Table((message) => connection.ask(message));
  const connection = new Connection(link, {
    onUpdate: (update) => {
      $("#table").hidden = false;
      table.show(update);
    },
    onStanding: (stands) => {
      $("#connection").textContent = stands ? "" : "Connection lost. Trying again …";
      document.body.classList.toggle("cut-off", !stands);
    },
    onEnd: (refusal) => {
      $("#table").hidden = true;
      $("#lost").hidden = false;
      $("#lost h2").textContent = refusal.reason === "too-many" ? "That was too much" : "There is no such table";
      $("#lost p").textContent = refusal.message;
    },
  });
} else {
  openLobby();
}
