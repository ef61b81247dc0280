// Makes the WebAssembly module that src/log/sha256.ts hashes with: the compression function of FIPS 180-4, section 6.2.2, over
// blocks in its memory. It is small enough to be written here instruction by instruction.

/** The constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of eight. */
const PRIMES = Array.from({ length: 312 }, (_, number) => number).filter(
  (number) => number > 1 && !Array.from({ length: number }, (_, at) => at).some((at) => at > 1 && number % at === 0),
);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** Where things lie in the one page of memory, in bytes: the constants, the words of a block, the state; behind them the blocks. */
const PLACE = { k: 0, words: 256, state: 512, blocks: 1024 };

/** Locals of the function: the parameter, the loops' counter, where the block lies, a state in eight, and a sum between. */
const [blocks, at, block, a, b, c, d, e, f, g, h, sum] = Array.from({ length: 12 }, (_, number) => number);

const signed = (value) => {
  const bytes = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const last = rest >> 6 === 0 || rest >> 6 === -1;
    bytes.push((rest & 0x7f) | (last ? 0 : 0x80));
    if (last) return bytes;
  }
};
const unsigned = (value) => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);

// Instructions that leave a value on the stack; operands are instructions too.
const get = (local) => [0x20, local];
const number = (value) => [0x41, ...signed(value)];
const operation =
  (code) =>
  (first, ...others) => [...first, ...others.flatMap((operand) => [...operand, code])];
const [add, sub, and, or, xor, shift, left, right] = [0x6a, 0x6b, 0x71, 0x72, 0x73, 0x76, 0x77, 0x78].map(operation);
const lower = operation(0x49);
const load = (address, offset) => [...address, 0x28, 2, ...unsigned(offset)];
// And those that leave none.
const set = (local, value) => [...value, 0x21, local];
const store = (address, offset, value) => [...address, ...value, 0x36, 2, ...unsigned(offset)];
/** Repeats the body while the condition holds, which is asked at its end. */
const loop = (body, condition) => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b];
const upTo = (end, body) => loop([...body, ...set(at, add(get(at), number(4)))], lower(get(at), number(end)));

const rotated = (value, ...by) => by.map((bits) => right(value, number(bits)));
/** A word of the block: its bytes are in the other order than those of memory. */
const wordOfBlock = (() => {
  const word = load(add(get(block), get(at)), 0);
  return or(and(left(word, number(8)), number(0x00ff00ff)), and(right(word, number(8)), number(0xff00ff00)));
})();
const word = (before) => load(get(at), PLACE.words - 4 * before);
const small = (value, first, second, shifted) => xor(...rotated(value, first, second), shift(value, number(shifted)));
const nextWord = add(word(16), small(word(15), 7, 18, 3), word(7), small(word(2), 17, 19, 10));
const choice = xor(and(get(e), get(f)), and(xor(get(e), number(-1)), get(g)));
const majority = xor(and(get(a), get(b)), and(get(a), get(c)), and(get(b), get(c)));
const state = [a, b, c, d, e, f, g, h];

const round = [
  ...set(sum, add(get(h), xor(...rotated(get(e), 6, 11, 25)), choice, load(get(at), PLACE.k), word(0))),
  ...[h, g, f].flatMap((local) => set(local, get(local - 1))),
  ...set(e, add(get(d), get(sum))),
  ...set(sum, add(get(sum), xor(...rotated(get(a), 2, 13, 22)), majority)),
  ...[d, c, b].flatMap((local) => set(local, get(local - 1))),
  ...set(a, get(sum)),
];

const BODY = loop(
  [
    ...set(at, number(0)),
    ...upTo(64, store(get(at), PLACE.words, wordOfBlock)),
    ...upTo(256, store(get(at), PLACE.words, nextWord)),
    ...state.flatMap((local, index) => set(local, load(number(0), PLACE.state + 4 * index))),
    ...set(at, number(0)),
    ...upTo(256, round),
    ...state.flatMap((local, index) => {
      const place = PLACE.state + 4 * index;
      return store(number(0), place, add(load(number(0), place), get(local)));
    }),
    ...set(block, add(get(block), number(64))),
    ...set(blocks, sub(get(blocks), number(1))),
  ],
  get(blocks),
);

/** The module: a page of memory, and `compress`, which takes the number of blocks in it. */
function sha256Module() {
  const list = (...items) => [...unsigned(items.length), ...items.flat()];
  const sized = (bytes) => [...unsigned(bytes.length), ...bytes];
  const section = (id, ...items) => [id, ...sized(list(...items))];
  const name = (text) => sized([...Buffer.from(text)]);
  const I32 = 0x7f;
  const code = [1, 11, I32, ...set(block, number(PLACE.blocks)), ...BODY, 0x0b];
  const constants = Buffer.alloc(4 * K.length);
  for (const [index, word] of K.entries()) constants.writeUInt32LE(word, 4 * index);
  return Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, 1, I32, 0]),
    ...section(3, [0]),
    ...section(5, [1, 1, 1]),
    ...section(7, [...name('memory'), 2, 0], [...name('compress'), 0, 0]),
    ...section(10, sized(code)),
    ...section(11, [0, ...number(PLACE.k), 0x0b, ...sized(constants)]),
  ]);
}

/** The text of src/generated/sha256.ts. */
export function sha256Source() {
  return `// Generated by .ci/sha256-wasm.mjs; do not edit.
/** The module, in base64. */
export const MODULE = '${sha256Module().toString('base64')}';
/** Where the state and the blocks lie in its memory. */
export const STATE = ${PLACE.state};
export const BLOCKS = ${PLACE.blocks};
/** The state before the first block. */
export const INITIAL: readonly number[] = ${JSON.stringify(INITIAL)};
`;
}
