// Check a transcript of fair dice (format rdice/2), in a browser or with Node 20:
//   node check_dice.js FILE [--head SEQ:HEX …] [--key HEX]
// It needs nothing but JavaScript; where Web Crypto has Ed25519 it checks all signatures as well.
// Exit status: 0 every line is good, 1 a line is bad (the first one is named), 2 no transcript.

const REQUIRED = 16384; // links of the server's chain and of the dice server's
const SEEN_WITHIN = 256; // entries between a head that was seen and the line that names it
const SILENCES = 2; // of a seat, then it is out
const PRIME = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
// d of edwards25519 (RFC 8032), and the y of all points of small order.
const CURVE = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
const SMALL = new Set([0n, 1n, PRIME - 1n,
  littleEndian("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
  littleEndian("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")]);

/** Why a transcript is refused, and the number of the first bad entry, from 0. */
export class Bad extends Error {
  constructor(why, seq) {
    super(`${why} (entry ${seq})`);
    this.why = why;
    this.seq = seq;
  }
}

/** The file is no transcript at all. */
export class NoTranscript extends Bad {}

// ---- Bytes and hashes ----

const utf8 = new TextEncoder();
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(bytes) {
  let digits = "";
  for (const byte of bytes) digits += DIGITS[byte];
  return digits;
}

function bytesOf(digits) {
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.substr(2 * i, 2), 16);
  return bytes;
}

function littleEndian(digits) {
  return BigInt("0x" + digits.match(/../g).reverse().join(""));
}

/** The first 32 bits of the fractions of roots of the first primes (FIPS 180-4), in whole numbers. */
function fractions(count, power) {
  const root = (value) => { // floor of the root, by Newton's steps from above
    let guess = 1n << 60n;
    for (;;) {
      const next = ((power - 1n) * guess + value / guess ** (power - 1n)) / power;
      if (next >= guess) return guess;
      guess = next;
    }
  };
  const words = [];
  for (let n = 2; words.length < count; n++) {
    let prime = true;
    for (let of = 2; of * of <= n; of++) prime = prime && n % of !== 0;
    if (prime) words.push(Number(root(BigInt(n) << (32n * power)) & 0xffffffffn) | 0);
  }
  return Int32Array.from(words);
}

const ROUND = fractions(64, 3n);
const START = fractions(8, 2n);
const schedule = new Int32Array(64);

function compress(state, data, at) {
  const w = schedule;
  for (let i = 0; i < 16; i++, at += 4) {
    w[i] = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15], y = w[i - 2];
    w[i] = (w[i - 16] + w[i - 7]
      + (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3))
      + (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const one = (h + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7)))
      + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
    const two = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10)))
      + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  state[0] += a; state[1] += b; state[2] += c; state[3] += d;
  state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}

/** SHA-256 of bytes, going on from a state behind `before` bytes. */
function sha256(data, from = START, before = 0) {
  const state = Int32Array.from(from), whole = data.length & ~63;
  for (let at = 0; at < whole; at += 64) compress(state, data, at);
  const rest = data.length - whole, last = new Uint8Array(rest < 56 ? 64 : 128);
  last.set(data.subarray(whole));
  last[rest] = 0x80;
  const view = new DataView(last.buffer), bits = (before + data.length) * 8;
  view.setUint32(last.length - 8, Math.floor(bits / 2 ** 32));
  view.setUint32(last.length - 4, bits);
  for (let at = 0; at < last.length; at += 64) compress(state, last, at);
  const out = new Uint8Array(32), words = new DataView(out.buffer);
  state.forEach((word, i) => words.setInt32(4 * i, word));
  return out;
}

/** HMAC-SHA256 with a key of 32 bytes: a function of the message. */
function macOf(key) {
  const states = [0x36, 0x5c].map((pad) => {
    const block = new Uint8Array(64).fill(pad), state = Int32Array.from(START);
    for (let i = 0; i < 32; i++) block[i] ^= key[i];
    compress(state, block, 0);
    return state;
  });
  return (message) => sha256(sha256(message, states[0], 64), states[1], 64);
}
const mac = (key, message) => macOf(key)(message);

const encoded = new Map(); // short texts that come again and again
function raw(part) {
  if (part instanceof Uint8Array) return part;
  const text = String(part);
  if (text.length > 40) return utf8.encode(text);
  let bytes = encoded.get(text);
  if (bytes === undefined) {
    if (encoded.size > 50000) encoded.clear();
    encoded.set(text, (bytes = utf8.encode(text)));
  }
  return bytes;
}

/** H of the format: SHA-256 over parts (bytes, text or numbers), each behind its length. */
function H(tag, ...parts) {
  const all = [raw(`rdice/2/${tag}`), ...parts.map(raw)];
  const data = new Uint8Array(all.reduce((sum, part) => sum + part.length + 8, 0));
  const view = new DataView(data.buffer);
  let at = 0;
  for (const part of all) {
    view.setUint32(at + 4, part.length);
    data.set(part, at + 8);
    at += part.length + 8;
  }
  return sha256(data);
}

function* streamOf(key) {
  const keyed = macOf(key), counter = new Uint8Array(8);
  for (let i = 0; ; i++) {
    new DataView(counter.buffer).setUint32(4, i);
    yield* keyed(counter);
  }
}

/** A number from 0 to k - 1; bytes that would make some numbers likelier are passed over. */
function oneOf(stream, k) {
  for (;;) {
    const byte = stream.next().value;
    if (byte < 256 - (256 % k)) return byte % k;
  }
}

// ---- Canonical JSON ----

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Texts are sorted by code points, not by UTF-16 units. */
function before(a, b) {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]; // NaN behind the end
  if (i >= a.length || i >= b.length) return a.length - b.length;
  const point = (unit) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
  return point(x) - point(y);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) {
    const names = Object.keys(value).sort(before);
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError("number");
  if (Object.is(value, -0)) throw new RangeError("number");
  return JSON.stringify(value);
}

/** The value of a canonical line, or undefined. */
function decode(line) {
  if (/\p{Surrogate}/u.test(line)) return undefined;
  try {
    const value = JSON.parse(line);
    return canonical(value) === line && !/(?<!\\)(\\\\)*\\ud/.test(line) ? value : undefined;
  } catch {
    return undefined;
  }
}

// ---- Forms: a function, an object (exactly these fields), [form of each], oneForm(form, …) ----

function fits(value, form) {
  if (typeof form === "function") return form(value);
  if (Array.isArray(form)) return Array.isArray(value) && value.every((inner) => fits(inner, form[0]));
  const names = Object.keys(form);
  return isObject(value) && Object.keys(value).length === names.length
    && names.every((name) => Object.hasOwn(value, name) && fits(value[name], form[name]));
}
const oneForm = (...forms) => (value) => forms.some((form) => fits(value, form));
const hexadecimal = (size) => {
  const digits = new RegExp(`^[0-9a-f]{${2 * size}}$`);
  return (value) => typeof value === "string" && value.length === 2 * size && digits.test(value);
};
const number = (low, high = Number.MAX_SAFE_INTEGER) => (value) =>
  Number.isSafeInteger(value) && low <= value && value <= high;
const sequence = (...forms) => (value) =>
  Array.isArray(value) && value.length === forms.length && forms.every((form, i) => fits(value[i], form));
const mapping = (form) => (value) =>
  isObject(value) && Object.values(value).every((inner) => fits(inner, form));
const text = (value) => typeof value === "string";
const name = (value) => text(value) && value !== "";
const none = (value) => value === null;
const hash = hexadecimal(32);
const digits128 = hexadecimal(64);
/** 64 bytes whose second half is below the order of the group (RFC 8032, 5.1.7). */
const signature = (value) => digits128(value)
  && (value[126] < "1" || littleEndian(value.slice(64)) < ORDER); // below 2^252: no big numbers

function power(base, exponent) {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result;
}

const points = new Map();
/** A public key: canonical, on the curve and not of small order. */
function point(value) {
  if (!hash(value)) return false;
  if (!points.has(value)) {
    const y = littleEndian(value) & (2n ** 255n - 1n);
    const square = ((y * y + PRIME - 1n) * (CURVE * y * y + 1n)) % PRIME; // x² times a square
    points.set(value, y < PRIME && !SMALL.has(y) && power(square, (PRIME - 1n) / 2n) === 1n);
  }
  return points.get(value);
}

const COUNT = number(0), INDEX = number(0, 255), DICE = number(1, 6), OF = number(1, 256);
const BATTLE = number(1, 16);
const DEPOSIT = { seat: text, key: point, nonce: hexadecimal(16), end: hash, length: COUNT, sig: signature };
const PRESENCE = { id: name, seen: COUNT, head: hash, sig: signature };
const SIGNED = oneForm(none, { id: name, head: hash, sig: signature });
const ASK = oneForm({ battle: sequence(BATTLE, BATTLE) }, { seats: [name] }, { pick: OF },
  { secret: OF, owner: name });
const DRAW = oneForm({ battle: sequence([DICE], [DICE]) }, { seats: [sequence(name, DICE)] },
  { pick: { index: INDEX, of: OF, thing: text } }, { sealed: { hash, of: OF, owner: name } });
const ENTRY = { body: isObject, kind: text, prev: hash, seq: COUNT };
const BODIES = new Map(Object.entries({
  genesis: {
    format: (value) => value === "rdice/2", table: name, earlier: [{ table: name, head: hash }],
    rules: hash, seats: [name], key: point, participants: mapping(DEPOSIT),
    waits: { roll: number(0, 3600), setup: number(0, 86400) }, commitment: hash,
  },
  deposit: { ...DEPOSIT, id: name, certificate: oneForm(none, signature) },
  joined: PRESENCE,
  left: PRESENCE,
  lost: { id: name },
  request: {
    n: COUNT, seat: text, decision: COUNT, order: hash, rolls: number(1, 64), ask: ASK,
    signed: SIGNED,
  },
  links: { n: COUNT, list: mapping(oneForm(none, hash)) },
  answer: {
    n: COUNT, links: mapping(oneForm(none, { link: hash }, { link: hash, sig: signature })),
    draws: [DRAW],
  },
  sealed: { seat: name, decision: COUNT, hash: oneForm(none, hash), signed: SIGNED },
  opened: { seat: name, text: oneForm(none, text), salt: oneForm(none, hash) },
  shown: { n: COUNT, i: COUNT, index: INDEX, thing: text, salt: hash },
  end: {
    broken: (value) => typeof value === "boolean", seed: hash, orders: [text],
    cards: [sequence(COUNT, COUNT, text)],
  },
}));

// ---- Draws ----

/** The request that a draw fits. */
function asked({ battle, seats, pick, sealed }) {
  if (battle) return { battle: battle.map((dice) => dice.length) };
  if (seats) return { seats: seats.map(([seat]) => seat) };
  return pick ? { pick: pick.of } : { secret: sealed.of, owner: sealed.owner };
}

/** Draw i of an answer with this key, in the shape of another draw. */
function drawn(key, i, draw) {
  const stream = streamOf(mac(key, H("roll", i))), die = () => oneOf(stream, 6) + 1;
  if (draw.battle) return { battle: draw.battle.map((dice) => dice.map(die)) };
  if (draw.seats) return { seats: draw.seats.map(([seat]) => [seat, die()]) };
  return draw.pick ? { pick: { ...draw.pick, index: oneOf(stream, draw.pick.of) } } : draw;
}

/** A draw as people read it. */
function inWords({ battle, seats, pick, sealed }) {
  if (battle) return battle.map((dice) => dice.join(" ")).join(" against ");
  if (seats) return seats.map(([seat, face]) => `${seat} ${face}`).join(", ");
  return pick ? `number ${pick.index} of ${pick.of}` : `a sealed one of ${sealed.of}`;
}

// ---- The state behind the lines read so far ----

class Checker {
  constructor(known) {
    Object.assign(this, { known, seq: 0, prev: new Uint8Array(32), open: null, ended: null });
    Object.assign(this, { heads: [], requests: [], pending: [], shownDraws: new Set() });
    Object.assign(this, { chains: new Map(), keys: new Map(), bySeat: new Map(), genesisHead: null });
    this.lastDecisions = new Map();
    this.placements = new Map(); // by seat: hash (null for one that is out), byClient, opening
  }

  need(good, why) {
    if (!good) throw new Bad(why, this.seq);
  }

  sign(what, keys, sig, message) {
    this.pending.push({ seq: this.seq, what, keys, sig, message });
  }

  line(seq, line) {
    this.seq = seq;
    const entry = decode(line);
    if (seq === 0) {
      let first = entry;
      try { first = JSON.parse(line); } catch { /* no transcript */ }
      if (!isObject(first) || first.kind !== "genesis" || first.body?.format !== "rdice/2") {
        throw new NoTranscript("the first line is no genesis of rdice/2", 0);
      }
    }
    this.need(entry !== undefined, "not canonical JSON");
    const signed = isObject(entry) && Object.hasOwn(entry, "sig");
    const { sig, ...rest } = isObject(entry) ? entry : {};
    this.need(fits(rest, ENTRY), "not the fields of an entry");
    this.need(rest.seq === seq, "wrong seq");
    this.need(rest.prev === hex(this.prev), "prev is not the head before");
    this.need(!signed || signature(sig), "sig is no signature");
    this.head = H("entry", signed ? `${line.slice(0, -`,"sig":"${sig}"}`.length)}}` : line);
    this.headText = hex(this.head);
    const good = this.known.every(([of, start]) => of !== seq || this.headText.startsWith(start));
    this.need(good, "another head than the one given");
    const { kind, body } = rest;
    this.need(BODIES.has(kind), "unknown kind");
    this.need(this.ended === null, "a line behind the end");
    this.need((kind === "genesis") === (seq === 0), "genesis is the first line, and only that");
    this.need(this.open === null || ["links", "answer", "end"].includes(kind), "a request is open");
    this.need(fits(body, BODIES.get(kind)), `not the form of ${kind}`);
    this[kind](body);
    this.signedLine = signed;
    this.need(seq || signed, "the genesis is not signed");
    if (signed) this.sign("the server's signature", [this.server], sig, this.head);
    this.heads.push(this.headText);
    this.prev = this.head;
  }

  genesis(body) {
    const { table, seats, key, participants } = body;
    Object.assign(this, { table, seats, server: key, body, genesisHead: this.head });
    const tables = [table, ...body.earlier.map((earlier) => earlier.table)];
    this.need(new Set(tables).size === tables.length, "a table stands twice here");
    const good = seats.every((seat) => !["server", "dice"].includes(seat) && !seat.includes("."));
    this.need(seats.length && good && new Set(seats).size === seats.length, "wrong names of seats");
    this.need(Object.hasOwn(participants, "server"), "the server is no participant");
    this.need(participants.server.key === key, "the server's participant has another key");
    const all = Object.entries(participants);
    this.need(new Set(all.map(([, of]) => of.key)).size === all.length, "a key stands twice");
    for (const seat of seats) this.bySeat.set(seat, { deposits: 0, left: 0, lost: 0, silences: [] });
    for (const [id, deposit] of all) {
      const required = ["server", "dice"].includes(id);
      this.need(required || seats.includes(id), "a participant is no seat");
      this.need(deposit.seat === (required ? "" : id), "a participant's id is not its seat");
      this.addKey(deposit.key, deposit.seat, true);
      this.add(id, deposit);
    }
  }

  addKey(key, seat, certified) {
    const known = { seat, since: this.seq, certified, byCertificate: false, took: 0, strange: 0 };
    this.keys.set(key, known);
    return known;
  }

  /** Check a deposit, and take its chain in. */
  add(id, { seat, key, nonce, end, length, sig }) {
    const [low, high] = seat === "" ? [REQUIRED, REQUIRED] : [64, 4096];
    this.need(low <= length && length <= high, "a chain of a length that is not allowed");
    const parts = [bytesOf(key), bytesOf(nonce)];
    const number = H("chain-id", this.table, ...parts), digits = hex(number);
    const fresh = [...this.chains.values()].every((chain) => chain.digits !== digits);
    this.need(fresh, "a chain id that is not new");
    const message = H("deposit", this.table, seat, ...parts, bytesOf(end), length);
    this.sign(`the deposit of ${id}`, [key], sig, message);
    this.enter(seat);
    this.chains.set(id, {
      id, seat, key, number, digits, length, start: this.requests.length, index: length,
      link: bytesOf(end), certified: this.keys.get(key).certified, present: true, changed: this.seq,
    });
  }

  /** A chain of the seat is to be in: the others are not any more. */
  enter(seat) {
    for (const chain of this.chains.values()) {
      if (seat !== "" && chain.seat === seat) chain.present = false;
    }
  }

  deposit(body) {
    const { id, seat, key, certificate } = body, of = this.bySeat.get(seat);
    this.need(of !== undefined, "no such seat");
    this.need(id === `${seat}.${of.deposits + 1}`, "not the seat's next number");
    this.need(of.silences.length < SILENCES, "the seat is out");
    let known = this.keys.get(key);
    this.need(known === undefined || known.seat === seat, "a key of somebody else");
    const certified = [...this.keys].filter(([, each]) => each.seat === seat && each.certified);
    if (known === undefined) known = this.addKey(key, seat, false);
    if (certificate !== null) { // a key that is not certified certifies nobody
      this.need(certified.length, "a certificate where the seat had no certified key");
      const message = H("device", this.table, seat, bytesOf(key));
      this.sign(`the certificate of ${id}`, certified.map(([each]) => each), certificate, message);
      known.byCertificate ||= !known.certified;
      known.certified = true;
    }
    this.needPlace(seat, known.certified);
    this.add(id, body);
    of.deposits += 1;
  }

  needPlace(seat, certified) { // a chain that nobody vouches for never takes a certified one's
    const taken = [...this.chains.values()].some((c) => c.seat === seat && c.present && c.certified);
    this.need(certified || !taken, "an uncertified chain in the place of a certified one");
  }

  chain(id) {
    this.need(this.chains.has(id), "no such participant");
    return this.chains.get(id);
  }

  presence(word, { id, seen, head, sig }) {
    const chain = this.chain(id);
    this.need(chain.seat !== "", "the server and the dice server are always in");
    this.need(seen < this.seq, "a head that is still to come");
    this.need(this.heads[seen] === head, "not the head of the entry that was seen");
    this.need(this.seq - seen <= SEEN_WITHIN, `a head of more than ${SEEN_WITHIN} entries ago`);
    this.need(seen >= chain.changed, "a head older than the last presence line");
    this.need(chain.present === (word === "left"), `it is ${chain.present ? "in already" : "not in"}`);
    const message = H(word, this.genesisHead, id, bytesOf(head));
    this.sign(`${word} of ${id}`, [chain.key], sig, message);
    chain.changed = this.seq;
    return chain;
  }

  joined(body) {
    const chain = this.presence("joined", body);
    this.need(indexFor(chain, this.requests.length) >= 0, "its chain has no link left");
    this.need(this.bySeat.get(chain.seat).silences.length < SILENCES, "the seat is out");
    this.needPlace(chain.seat, chain.certified);
    this.enter(chain.seat);
    chain.present = true;
  }

  left(body) {
    const chain = this.presence("left", body);
    chain.present = false;
    this.bySeat.get(chain.seat).left += 1;
  }

  lost({ id }) {
    const chain = this.chain(id);
    this.need(chain.seat !== "", "the server and the dice server are always in");
    this.need(chain.present, "it is not in");
    chain.present = false;
    chain.changed = this.seq;
    this.bySeat.get(chain.seat).lost += 1;
  }

  request(body) {
    const n = this.requests.length, { seat, decision, signed } = body;
    this.need(body.n === n, "not the next request");
    this.need(seat === "" || this.bySeat.has(seat), "no such seat");
    this.need(seat !== "" || decision === 0, "a decision of no seat");
    this.needAsk(body.ask);
    const owed = [...this.placements.values()].some(unopened);
    this.need(!owed, "a sealed placement is not opened");
    const leaves = decision === 0 && !body.ask.battle; // picks may follow a resignation
    const seats = new Set([leaves ? null : seat, body.ask.owner, ...(body.ask.seats ?? [])]);
    const good = [...this.placements].every(([of, { hash }]) => hash !== null || !seats.has(of));
    this.need(good, "a seat plays that sealed no placement");
    this.needDecision(body);
    const chains = new Map([...this.chains].filter(([, c]) => c.present && indexFor(c, n) >= 0));
    const whole = ["server", "dice"].every((id) => chains.has(id) === this.chains.has(id));
    this.need(whole, "a required participant has no link left");
    if (signed !== null) {
      const chain = this.chain(signed.id);
      this.need(chains.has(chain.id), "the signer takes no part");
      this.need(seat !== "" && chain.seat === seat, "the signer is of another seat");
      const good = this.heads.slice(-SEEN_WITHIN).includes(signed.head);
      this.need(good, `signed for no head of the last ${SEEN_WITHIN} entries`);
    }
    this.open = {
      n, seq: this.seq, body, head: this.head, chains,
      key: null, draws: [], listed: null, complete: false, answered: 0,
    };
    this.requests.push(this.open);
  }

  /** The decisions of a seat come in their order; 0 of a seat is out of turn, at any time. */
  needDecision({ seat, decision, rolls }) {
    if (seat !== "" && decision === 0) {
      this.need(rolls === 1, "a decision out of turn has one roll");
      return;
    }
    const last = this.lastDecisions.get(seat) ?? -1;
    this.need(decision >= last, "a decision that is older than the last one of its seat");
    if (decision === last) {
      const { body, complete } = this.requests.at(-1);
      const same = body.seat === seat && body.decision === decision;
      this.need(same, "a decision asks again, not directly behind its own request");
      this.need(complete, "a decision asks again, with rolls left");
    }
    this.lastDecisions.set(seat, decision);
  }

  needAsk(ask) {
    this.need(fits(ask, ASK), "a draw that cannot be asked for");
    const seats = ask.seats ?? [ask.owner ?? this.seats[0]], different = new Set(seats);
    const good = seats.every((seat) => this.bySeat.has(seat));
    this.need(seats.length && good && different.size === seats.length, "wrong seats of a draw");
  }

  /** The open request of an answer, of which just the participants give a link or null. */
  ofRequest({ n }, links) {
    this.need(this.open !== null, "no request is open");
    this.need(n === this.open.n, "of another request");
    const { chains } = this.open, all = Object.entries(links);
    const exact = all.length === chains.size && all.every(([id]) => chains.has(id));
    this.need(exact, "not exactly the participants");
    const silent = all.filter(([, link]) => link === null);
    this.need(silent.every(([id]) => chains.get(id).seat), "a required participant is silent");
    return this.open;
  }

  links(body) {
    this.need(this.chains.has("dice"), "there is no dice server");
    this.need(this.open?.listed === null, "not directly behind a request");
    this.need(!Object.hasOwn(body.list, "dice"), "the dice server's own link in the list");
    this.ofRequest(body, { ...body.list, dice: "" });
    this.open.listed = body.list;
    this.open.listedHead = this.head;
  }

  answer(body) {
    const request = this.ofRequest(body, body.links), { listed } = request, links = new Map();
    this.need(!this.chains.has("dice") || listed !== null, "the list of links is missing");
    for (const id of Object.keys(body.links).sort(before)) {
      const given = body.links[id];
      links.set(id, given === null ? new Uint8Array() : this.link(request, request.chains.get(id), given));
      const wanted = given === null || listed === null ? null : hex(H("given", links.get(id)));
      this.need(listed === null || id === "dice" || listed[id] === wanted, "not the link of the list");
    }
    const { draws } = body, silent = [...links.keys()].filter((id) => !links.get(id).length);
    const most = silent.length ? 1 : request.body.rolls;
    this.need(1 <= draws.length && draws.length <= most, "too few or too many draws");
    const fit = canonical(asked(draws[0])) === canonical(request.body.ask);
    this.need(fit, "the first draw is not what was asked");
    request.key = this.keyOf(request, links);
    draws.forEach((draw, i) => {
      this.needAsk(asked(draw));
      const same = canonical(drawn(request.key, i, draw)) === canonical(draw);
      this.need(same, `draw ${i} does not follow from the links`);
    });
    Object.assign(request, { draws, answered: this.seq });
    request.complete = silent.length > 0 || draws.length === most;
    this.open = null;
    for (const chain of silent.map((id) => request.chains.get(id))) {
      chain.present = false;
      chain.changed = this.seq;
      const silence = { n: request.n, chain, links, given: draws[0], draw: null };
      this.bySeat.get(chain.seat).silences.push(silence);
    }
  }

  keyOf(request, links) {
    return H("key", this.genesisHead, request.n, ...[...links].flat());
  }

  /** A link that was given, checked; silences of its chain learn the roll that would have been. */
  link(request, chain, given) {
    const link = bytesOf(given.link), index = indexFor(chain, request.n);
    const reached = forward(chain, link, index, chain.index);
    this.need(hex(reached) === hex(chain.link), `not the link of ${chain.id}`);
    const signed = Object.hasOwn(given, "sig");
    this.need(signed === (chain.id !== "server"), "all but the server sign their links");
    if (signed) {
      const head = chain.id === "dice" ? request.listedHead : request.head;
      const message = H("link", this.genesisHead, request.n, head, link);
      this.sign(`the link of ${chain.id}`, [chain.key], given.sig, message);
    }
    for (const silence of this.bySeat.get(chain.seat)?.silences ?? []) {
      if (silence.chain !== chain || silence.draw !== null) continue;
      const withheld = forward(chain, link, index, indexFor(chain, silence.n));
      const links = new Map(silence.links).set(chain.id, withheld); // its place stays
      silence.draw = drawn(this.keyOf(this.requests[silence.n], links), 0, silence.given);
    }
    const key = this.keys.get(chain.key);
    key[key.certified ? "took" : "strange"] += 1;
    Object.assign(chain, { link, index });
    return link;
  }

  sealed({ seat, decision, hash, signed }) {
    this.need(this.bySeat.has(seat), "no such seat");
    this.need(!this.placements.has(seat), "sealed a second time");
    this.need(signed !== null || decision === 0, "the server seals for no decision");
    if (signed !== null) {
      const chain = this.chain(signed.id);
      this.need(chain.seat === seat && chain.present, "sealed by no client of the seat");
      const recent = this.heads.slice(-SEEN_WITHIN).includes(signed.head);
      this.need(recent, `sealed for no head of the last ${SEEN_WITHIN} entries`);
      this.need(hash !== null, "a client seals nothing");
      const message = H("seal", this.genesisHead, decision, bytesOf(signed.head), bytesOf(hash));
      this.sign(`the seal of ${seat}`, [chain.key], signed.sig, message);
    }
    this.placements.set(seat, { hash, byClient: signed !== null, opening: null, seq: 0 });
  }

  opened(body) {
    const { seat, text, salt } = body;
    const all = this.seats.every((each) => this.placements.has(each));
    this.need(all, "opened before all have sealed");
    this.need(this.bySeat.has(seat), "no such seat");
    const sealed = this.placements.get(seat);
    this.need(unopened(sealed), "nothing is left to open");
    if (text === null || salt === null) {
      const good = text === null && salt === null && sealed.byClient;
      this.need(good, "only a client leaves its placement unopened");
    } else {
      const found = hex(H("sealed", seat, bytesOf(salt), text));
      this.need(found === sealed.hash, "not the placement that was sealed");
    }
    Object.assign(sealed, { opening: body, seq: this.seq });
  }

  shown({ n, i, index, thing, salt }) {
    const sealed = this.requests[n]?.draws[i]?.sealed, draw = `${n} ${i}`;
    this.need(sealed !== undefined, "no such sealed draw");
    this.need(!this.shownDraws.has(draw), "shown before");
    this.shownDraws.add(draw);
    this.need(index < sealed.of, "an index that is too large");
    this.need(hex(H("card", bytesOf(salt), index, thing)) === sealed.hash, "not the card that was sealed");
  }

  end(body) {
    const seed = bytesOf(body.seed);
    this.need(body.broken === (this.open !== null), "broken is not whether a request is open");
    this.need(hex(H("commit", seed)) === this.body.commitment, "the seed does not fit the commitment");
    this.need(body.orders.length === this.requests.length, "not the words of every request");
    const sealed = this.requests.flatMap(({ n, draws }) =>
      draws.flatMap((draw, i) => (draw.sealed ? [[n, i]] : [])));
    const named = canonical(body.cards.map(([n, i]) => [n, i]));
    this.need(named === canonical(sealed), "not the card of every sealed draw");
    const things = new Map(body.cards.map(([n, i, thing]) => [`${n} ${i}`, thing]));
    for (const request of this.requests) {
      this.order(seed, request, body.orders[request.n]);
      request.draws.forEach((draw, i) => {
        if (draw.sealed) this.card(seed, request, i, draw.sealed, things.get(`${request.n} ${i}`));
      });
    }
    for (const [seat, { byClient, opening, seq }] of this.placements) {
      const salt = hex(mac(seed, H("salt/placement", this.genesisHead, seat)));
      if (opening !== null && !byClient && opening.salt !== salt) {
        throw new Bad(`the salt of the placement of ${seat} is a chosen one`, seq);
      }
    }
    this.ended = body;
  }

  /** A sealed draw follows from the key and the seed; else its answer is to blame. */
  card(seed, { n, key, answered }, i, sealed, thing) {
    const salt = mac(seed, H("salt", this.genesisHead, n, i));
    const picked = mac(key, mac(seed, H("pick", this.genesisHead, n, i)));
    const card = H("card", salt, oneOf(streamOf(picked), sealed.of), thing);
    if (hex(card) !== sealed.hash) {
      throw new Bad(`the sealed draw ${i} of request ${n} is another one`, answered);
    }
  }

  /** The words of an order, its hash, and its signature; else the request is to blame. */
  order(seed, { n, seq, body }, words) {
    const { signed, decision, order } = body;
    const salt = mac(seed, H("salt/order", this.genesisHead, n));
    if (hex(H("order-hash", salt, words)) !== order) {
      throw new Bad(`the words of request ${n} are other ones`, seq);
    }
    if (signed !== null) {
      const message = H("order", this.genesisHead, decision, bytesOf(signed.head), words);
      const keys = [this.chains.get(signed.id).key], what = `the order of request ${n}`;
      this.pending.push({ seq, what, keys, sig: signed.sig, message });
    }
  }

  finish() {
    this.need(this.signedLine, "the last line is not signed");
    this.seq += 1;
    this.need(this.known.every(([seq]) => seq < this.seq), "the file ends before a head that was given");
  }

  /** Check the signatures of all entries before one; false where Web Crypto has no Ed25519. */
  async verify(until = Infinity) {
    const subtle = globalThis.crypto?.subtle, keys = new Map();
    try {
      const format = { name: "Ed25519" };
      for (const key of new Set(this.pending.flatMap((each) => each.keys))) {
        keys.set(key, await subtle.importKey("raw", bytesOf(key), format, false, ["verify"]));
      }
    } catch {
      return false;
    }
    const valid = (key, { sig, message }) =>
      subtle.verify("Ed25519", keys.get(key), bytesOf(sig), message);
    const pending = this.pending.filter((each) => each.seq < until).sort((a, b) => a.seq - b.seq);
    for (let from = 0; from < pending.length; from += 512) {
      const some = pending.slice(from, from + 512);
      const results = await Promise.all(some.map((each) =>
        Promise.all(each.keys.map((key) => valid(key, each)))));
      some.forEach(({ seq, what }, i) => {
        if (!results[i].includes(true)) throw new Bad(`${what} is wrong`, seq);
      });
    }
    return true;
  }
}

const unopened = ({ hash, opening }) => hash !== null && opening === null;

const indexFor = (chain, n) => chain.length - 1 - (n - chain.start);

/** The link with the index `until`, hashed forward from an earlier one. */
function forward(chain, link, index, until) {
  for (let k = index + 1; k <= until; k++) link = H("chain", chain.number, k, link);
  return link;
}

// ---- The table ----

function* seatRows(checker, seat) {
  const answered = checker.requests.filter((request) => request.key !== null).length;
  const keys = [...checker.keys.values()].filter((key) => key.seat === seat);
  const sum = (field) => keys.reduce((all, key) => all + key[field], 0);
  const took = sum("took"), strange = sum("strange");
  const more = strange ? ` (${strange} more with an uncertified key)` : "";
  const { left, lost, silences } = checker.bySeat.get(seat);
  const gone = `left ${left}, lost on the server's word ${lost}, silent ${silences.length}`;
  yield [seat, keys.length ? `took part in ${took} of ${answered}${more}; ${gone}` : "no client"];
  for (const { n, chain, draw } of silences) {
    const roll = draw === null ? "withheld" : `would have been ${inWords(draw)}`;
    yield ["", `request ${n} without ${chain.id}: ${roll}`];
  }
}

function* placementRows({ placements }) {
  const sealed = [...placements].filter(([, { hash }]) => hash !== null);
  if (!sealed.length) return;
  const by = (client) => sealed.filter(([, { byClient }]) => byClient === client)
    .map(([seat]) => seat).join(", ") || "none";
  const opened = sealed.filter(([, { opening }]) => opening?.salt).length;
  const words = `sealed by clients: ${by(true)}; by the server: ${by(false)}`;
  yield ["placements", `${opened} of ${sealed.length} opened, ${words}`];
}

function report(checker, key, verified) {
  const { requests, body, chains, ended, known, pending } = checker;
  const signed = requests.filter((request) => request.body.signed !== null).length;
  const setup = requests.filter((request) => request.body.seat === "").length;
  const waiting = ended || !signed ? "" : "; their signatures are checked when the words are open";
  const draws = requests.reduce((sum, request) => sum + request.draws.length, 0);
  const rows = [["table", checker.table]];
  for (const earlier of body.earlier) rows.push(["earlier", `${earlier.table} ${earlier.head.slice(0, 16)}`]);
  if (!body.earlier.length) rows.push(["earlier", "none"]);
  rows.push(["requests", `${requests.length}, ${draws} draws${checker.open ? ", the last one open" : ""}`]);
  rows.push(["dice server", chains.has("dice") ? "independent, in every roll" : "none"]);
  for (const seat of checker.seats) rows.push(...seatRows(checker, seat));
  rows.push(...placementRows(checker));
  for (const [digits, { seat, since, certified, byCertificate }] of checker.keys) {
    const known = certified ? "certified" : `uncertified since entry ${since}`;
    const sure = byCertificate && !verified ? "certificate not checked" : known;
    if (seat) rows.push(["key", `${seat} ${digits.slice(0, 16)} ${sure}`]);
  }
  if (key !== null) {
    const ids = [...chains.values()].filter((chain) => chain.key === key).map((chain) => chain.id);
    rows.push(["your key", ids.join(", ") || "is not here"]);
  }
  if (known.length) rows.push(["your heads", `${known.length}, all here`]);
  rows.push(["signatures", verified ? `${pending.length} checked` : "not checked"]);
  const unsigned = requests.length - signed - setup;
  rows.push(["orders", `${signed} signed, ${unsigned} unsigned, ${setup} of the set-up${waiting}`]);
  rows.push(["secrets", `${ended ? "open" : "sealed"}${ended?.broken ? "; the game is broken" : ""}`]);
  rows.push(["head", `${checker.seq - 1}:${hex(checker.prev)}`]);
  const width = Math.max(...rows.map(([title]) => [...title].length));
  const pad = (title) => title + " ".repeat(width - [...title].length);
  return { rows, text: rows.map(([title, words]) => `${pad(title)}  ${words}`).join("\n") };
}

/**
 * Check the text of a transcript. heads: pairs of an entry's number and its head in hexadecimal
 * digits, or the beginning of it; key: a public key to look for. Gives {rows, text}, the table;
 * throws Bad at the first bad line.
 */
export async function check(text, { heads = [], key = null } = {}) {
  const checker = new Checker(heads);
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  try {
    if (lines.length === 1 && lines[0] === "") throw new NoTranscript("the file is empty", 0);
    lines.forEach((line, seq) => checker.line(seq, line));
    checker.finish();
  } catch (error) {
    if (error instanceof Bad) await checker.verify(error.seq);
    throw error;
  }
  const verified = await checker.verify();
  return report(checker, key, verified);
}

// For programs that follow a game line by line, as the web app's participant does.
export { Checker, H, bytesOf, forward, hex, indexFor };

// ---- The program ----

function headOf(argument) {
  const found = /^([0-9]{1,9}):([0-9a-f]{16,64})$/.exec(argument ?? "");
  if (!found) throw new TypeError("a head is SEQ:HEX, with at least 16 digits");
  return [Number(found[1]), found[2]];
}

async function main([...given]) {
  const { readFileSync } = await import("node:fs");
  const heads = [];
  let file = null, key = null, text;
  try {
    while (given.length) {
      const word = given.shift();
      if (word === "--head") heads.push(headOf(given.shift()));
      else if (word === "--key") key = given.shift() ?? null;
      else file = word;
    }
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    console.log(`no transcript: ${error.message}`);
    return 2;
  }
  try {
    console.log((await check(text, { heads, key })).text);
    return 0;
  } catch (bad) {
    if (!(bad instanceof Bad)) throw bad;
    const line = `bad line ${bad.seq + 1} (entry ${bad.seq}): ${bad.why}`;
    console.log(bad instanceof NoTranscript ? `no transcript: ${bad.why}` : line);
    return bad instanceof NoTranscript ? 2 : 1;
  }
}

if (globalThis.process?.versions?.node && process.argv[1]) {
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
    process.exitCode = await main(process.argv.slice(2));
  }
}
