// Runs a script of build/ as this process: with its words, its streams and its exit code, and told of every signal.
import { spawn } from 'node:child_process';

/** Ends this process when the script ends. */
export function becomeScript(script) {
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A terminal would signal the child too, and twice means at once.
    detached: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  child.on('exit', (status) => process.exit(status ?? 3));
}
