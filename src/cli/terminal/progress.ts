/** One line on standard error that shows the progress of a long command: on a terminal only, and removed before other output. */

/** Called by the work with a description of its current step. */
export type Tick = (what: string) => void;

/** Milliseconds before anything is shown; INTERVAL is the time between two updates. */
const PATIENCE = 2_000;
const INTERVAL = 100;

let shown = false;

/** Removes the line, so that something else can be written; it reappears with the next tick. */
export function clearProgress(): void {
  if (!shown) return;
  shown = false;
  process.stderr.write('\r\u001b[K');
}

/**
 * Runs work that may take long, and shows its current step once it has taken more than two seconds. Shows nothing in CI, or if
 * standard error is no terminal.
 * @param command the running command, such as `policy lint`
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
  // Work that waits for other processes makes no ticks meanwhile.
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

/** Writes the text as one line; a line wider than the terminal could not be removed again. */
function show(text: string): void {
  const width = (process.stderr.columns || 80) - 1;
  const safe = [...text].map((character) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? '?' : character));
  process.stderr.write(`\r\u001b[K${(safe.length > width ? [...safe.slice(0, width - 1), '…'] : safe).join('')}`);
  shown = true;
}
