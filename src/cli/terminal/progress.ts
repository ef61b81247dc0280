/** One line on standard error that says how far a long command is: on a terminal only, and gone when there is something to read. */

/** Told from within the work: what it is at. */
export type Tick = (what: string) => void;

/** Milliseconds before anything is shown, and between two looks. */
const PATIENCE = 2_000;
const INTERVAL = 100;

let shown = false;

/** Takes the line away, so that something else can be written; it comes back with the next tick. */
export function clearProgress(): void {
  if (!shown) return;
  shown = false;
  process.stderr.write('\r\u001b[K');
}

/**
 * Runs a work that may take long, and shows what it says it is at once that lasts more than two seconds. Nothing is shown in CI, nor
 * where standard error is no terminal.
 * @param command what is run, such as `policy lint`
 */
export async function withProgress<Result>(command: string, work: (tick: Tick) => Result | Promise<Result>): Promise<Result> {
  const { CI = '', TERM } = process.env;
  if (process.stderr.isTTY !== true || TERM === 'dumb' || (CI !== '' && CI !== 'false')) return await work(() => {});
  let next = performance.now() + PATIENCE;
  let last = '';
  const look = () => {
    if (performance.now() < next) return;
    next = performance.now() + INTERVAL;
    show(`${command}: ${last}`);
  };
  // Work that waits for others gives no ticks meanwhile.
  const timer = setInterval(look, INTERVAL);
  timer.unref();
  try {
    return await work((what) => {
      last = what;
      look();
    });
  } finally {
    clearInterval(timer);
    clearProgress();
  }
}

/** One line, whatever it holds: what is longer than the terminal would not go away again. */
function show(text: string): void {
  const width = (process.stderr.columns || 80) - 1;
  const safe = [...text].map((character) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? '?' : character));
  process.stderr.write(`\r\u001b[K${(safe.length > width ? [...safe.slice(0, width - 1), '…'] : safe).join('')}`);
  shown = true;
}
