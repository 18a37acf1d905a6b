// In the page of a game: asks for its data while the scripts are on their way; they take the answers.
(() => {
  if (window.rubiconEarly !== undefined) return; // the app was quicker, and asks for itself
  const [, , id] = location.pathname.split("/");
  const invite = new URLSearchParams(location.search).get("invite");
  const { dataset } = document.currentScript;
  const answers = (window.rubiconEarly = new Map());
  setTimeout(() => answers.clear(), 15_000); // who comes back to the game later sees it as it is then
  const ask = (address) => {
    const answer = fetch(address, { credentials: "same-origin" });
    answers.set(address, answer);
    return answer;
  };
  let language = navigator.language.toLowerCase().startsWith("de") ? "de" : "en";
  try {
    language = JSON.parse(localStorage.getItem("rubicon.device") ?? "{}").language ?? language;
  } catch {
    // a private window without storage
  }
  const texts = document.createElement("link");
  Object.assign(texts, { rel: "modulepreload", crossOrigin: "", href: dataset[language] });
  document.head.append(texts);
  /** Draws the land in its owners' colours, where the screen itself is not there yet. */
  const draw = ({ width, height, territories }, owners) => {
    const make = (name, attributes) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    const land = make("svg", { viewBox: `0 0 ${width} ${height}` });
    land.append(...territories.map(({ id, d }) => make("path", { class: `seat-${owners[id]?.owner ?? "neutral"}`, d })));
    document.querySelector(".outline p")?.replaceChildren(land);
  };
  const read = (asked) => asked.then((answer) => (answer.ok ? answer.clone().json() : null));
  // With a link, the app asks for the table first: the game may be in its lobby still.
  if (invite !== null) return;
  // Most games are on this board: its drawing is on its way already, as the page says.
  const guessed = "/api/v1/boards/world/geometry";
  const world = read(ask(guessed));
  const game = `/api/v1/games/${id}`;
  read(ask(game))
    .then((view) => {
      if (view === null) return;
      // An app that has its answer already asks for what is legal itself: ours would wait for a later decision.
      const taken = !answers.has(game);
      if (!taken && view.decision !== null && view.result === null) ask(`${game}/legal`);
      const board = `/api/v1/boards/${encodeURIComponent(view.position.board.name)}`;
      ask(board);
      const drawing = `${board}/geometry` === guessed ? world : read(ask(`${board}/geometry`));
      return drawing.then((found) => draw(found, view.position.territories));
    })
    .catch(() => undefined); // the app asks again, and says what is wrong
})();
