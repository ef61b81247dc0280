// SHA-256's compression of blocks (FIPS 180-4, 6.2.2) as a WebAssembly program, built from expressions that read as the standard
// does: src/log/record/sha256.ts runs it for texts that JavaScript, which a hook never gets to run compiled, would hash slowly.

/** Where things lie in the program's memory, in bytes: the state and the message are written, and the state read, from outside. */
const [STATE, CONSTANTS, SCHEDULE] = [0, 64, 320];

/** Parameters (from where to where the blocks lie) and local variables. */
const VARIABLES = ['at', 'end', 'i', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const WORKING = VARIABLES.slice(3);

// Codes of WebAssembly 1.0. An expression is the list of its bytes.
const number = (value) => [0x41, ...signed(value | 0)];
const get = (name) => [0x20, VARIABLES.indexOf(name)];
const set = (name, value) => [...value, 0x21, VARIABLES.indexOf(name)];
const load = (address, offset) => [...address, 0x28, 2, ...unsigned(offset)];
const store = (address, offset, value) => [...address, ...value, 0x36, 2, ...unsigned(offset)];
const operator =
  (code) =>
  (first, ...others) => [...first, ...others.flatMap((one) => [...one, code])];
const [add, and, or, xor] = [0x6a, 0x71, 0x72, 0x73].map(operator);
const [shl, shr, isBelow] = [0x74, 0x76, 0x49].map(operator);
/** Does the body, and again while the condition holds. */
const loop = (body, condition) => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b];
/** There is a code of its own for it, which V8's first compiler makes a dear call of. */
const rotr = (value, by) => or(shr(value, number(by)), shl(value, number(32 - by)));

/** Lets `i` run over the words of 4 bytes from `from` up to `to`, `step` at a time. */
const overWords = (from, to, step, body) => [
  ...set('i', number(4 * from)),
  ...loop([...body, ...set('i', add(get('i'), number(4 * step)))], isBelow(get('i'), number(4 * to))),
];

/** The bytes of a word in the other order. */
const swapped = (word) => or(and(rotr(word, 24), number(0x00ff00ff)), and(rotr(word, 8), number(0xff00ff00)));

const PREPARED = [
  ...overWords(0, 16, 1, store(get('i'), SCHEDULE, swapped(load(add(get('at'), get('i')), 0)))),
  ...overWords(16, 64, 1, store(get('i'), SCHEDULE, add(sigma1(before(2)), before(7), sigma0(before(15)), before(16)))),
];

function before(words) {
  return load(get('i'), SCHEDULE - 4 * words);
}
function sigma0(x) {
  return xor(rotr(x, 7), rotr(x, 18), shr(x, number(3)));
}
function sigma1(x) {
  return xor(rotr(x, 17), rotr(x, 19), shr(x, number(10)));
}

/** Eight rounds: instead of handing the working variables on, each round calls them by other names. */
const ROUNDS = WORKING.flatMap((_, round) => {
  const names = WORKING.map((_name, place) => WORKING[(place + 8 - round) % 8]);
  const [a, b, c, d, e, f, g, h] = names.map(get);
  const sum0 = xor(rotr(a, 2), rotr(a, 13), rotr(a, 22));
  const sum1 = xor(rotr(e, 6), rotr(e, 11), rotr(e, 25));
  const choice = xor(g, and(e, xor(f, g)));
  const majority = or(and(a, b), and(c, or(a, b)));
  return [
    ...set(names[7], add(h, sum1, choice, load(get('i'), CONSTANTS + 4 * round), load(get('i'), SCHEDULE + 4 * round))),
    ...set(names[3], add(d, h)),
    ...set(names[7], add(h, sum0, majority)),
  ];
});

const BLOCK = [
  ...PREPARED,
  ...WORKING.flatMap((name, place) => set(name, load(number(0), STATE + 4 * place))),
  ...overWords(0, 64, 8, ROUNDS),
  ...WORKING.flatMap((name, place) => store(number(0), STATE + 4 * place, add(load(number(0), STATE + 4 * place), get(name)))),
  ...set('at', add(get('at'), number(64))),
];

/** The first 64 primes' cube roots: 32 bits behind the point. */
function constants() {
  const primes = [];
  for (let one = 2; primes.length < 64; one++) if (primes.every((prime) => one % prime !== 0)) primes.push(one);
  const words = primes.map((prime) => {
    let root = 0n;
    for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root + bit) ** 3n <= BigInt(prime) << 96n) root += bit;
    return Number(BigInt.asUintN(32, root));
  });
  return [...new Uint8Array(Uint32Array.from(words).buffer)];
}

/** LEB128. */
function unsigned(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}
function signed(value) {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

/**
 * The program's bytes. It exports `memory` of 64 KiB, and `blocks(at, end)`, which takes what lies between two places in it into the
 * state at its beginning: eight words, low bytes first.
 */
export function sha256Program() {
  const list = (...items) => [...unsigned(items.length), ...items.flat()];
  const section = (id, ...items) => {
    const content = list(...items);
    return [id, ...unsigned(content.length), ...content];
  };
  const text = (name) => list(...Buffer.from(name));
  const [i32, func, memory, end] = [0x7f, 0x60, 2, 0x0b];
  const code = [1, VARIABLES.length - 2, i32, ...loop(BLOCK, isBelow(get('at'), get('end'))), end];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [func, ...list(i32, i32), ...list()]),
    ...section(3, 0),
    ...section(5, [0, 1]),
    ...section(7, [...text('memory'), memory, 0], [...text('blocks'), 0, 0]),
    ...section(10, [...unsigned(code.length), ...code]),
    ...section(11, [0, ...number(CONSTANTS), end, ...list(...constants())]),
  ]);
}
