/** Programs of a project or of what it installed that take any code, program or task as an argument: no rule should end in `*` behind them. */
import { data } from '../../generated/data.js';

const NAMES =
  /^(?:manage\.py|setup\.py|rails|rake|bundle|spring|kamal|thrust|sail|importmap|console|artisan|gradlew|mvnw|(?:noxfile|tasks|fabfile)\.py|(?:.*[-_.])?entrypoint(?:[-_.].*)?|(?:wait-for|wait_for|with|run-in|run_in|exec|run-with|retry)(?:[-_.].*)?)$/i;

export function takesCode(name: string): boolean {
  return NAMES.test(name);
}

/** Names of scripts, targets and programs that reach others: `deploy`, `db:migrate:prod`, `deployProd.sh`; `product` is none. */
export function meansOne(text: string, words: readonly string[]): boolean {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return parts.some((part) => words.includes(part));
}

/** The same by the words that preset `develop` has for it. */
export function reachesOut(text: string): boolean {
  const { leaves } = data('presets/develop') as { readonly leaves: readonly string[] };
  return meansOne(text, leaves);
}

/** Folders into which other people's programs are installed. */
const INSTALLED =
  /(?:^|\/)(?:\.?v?env|\.?virtualenv|node_modules|vendor|site-packages|\.tox|\.nox|\.direnv|\.bundle|target|dist|third[_-]party|bower_components|Pods|_?deps)(?:\/|$)/;

/** Whether a path from the top of the project lies where programs of others are installed. */
export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}
