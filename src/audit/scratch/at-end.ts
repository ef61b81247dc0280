/** Cleanup for the case that this process ends before its work does: by a signal, or because nobody reads its output any more. */

type Work = () => void;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const waiting = new Set<Work>();

/**
 * Does the work if the process ends too early. The work must not throw, and has to be quick.
 * @returns a function that cancels this without doing the work
 */
export function atEnd(work: Work): () => void {
  if (waiting.size === 0) {
    for (const signal of SIGNALS) process.on(signal, onSignal);
    process.on('exit', doAll);
  }
  waiting.add(work);
  return () => {
    waiting.delete(work);
    if (waiting.size === 0) stopListening();
  };
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, onSignal);
  process.off('exit', doAll);
}

function onSignal(signal: NodeJS.Signals): void {
  doAll();
  stopListening();
  // The parent process should see that the signal ended us; a command that handles the signal itself decides about that.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function doAll(): void {
  for (const work of waiting) work();
  waiting.clear();
}
