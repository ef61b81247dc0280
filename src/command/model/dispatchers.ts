/** Programs of a project, or installed by it, that take any code, program or task as an argument: no rule should end in `*` after them. */
import { data } from '../../generated/data.js';

const NAMES =
  /^(?:manage\.py|setup\.py|rails|rake|bundle|spring|kamal|thrust|sail|importmap|console|artisan|gradlew|mvnw|(?:noxfile|tasks|fabfile)\.py|(?:.*[-_.])?entrypoint(?:[-_.].*)?|(?:wait-for|wait_for|with|run-in|run_in|exec|run-with|retry)(?:[-_.].*)?)$/i;

export function takesCode(name: string): boolean {
  return NAMES.test(name);
}

/**
 * Whether a name of a script, target or program has one of the words as a part: `deploy`, `db:migrate:prod`, `deployProd.sh`; not
 * `product`.
 */
export function meansOne(text: string, words: readonly string[]): boolean {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return parts.some((part) => words.includes(part));
}

/** The same with the words that preset `develop` lists for this. */
export function reachesOut(text: string): boolean {
  const { leaves } = data('presets/develop') as { readonly leaves: readonly string[] };
  return meansOne(text, leaves);
}

/** Directories into which third-party programs are installed. */
const INSTALLED =
  /(?:^|\/)(?:\.?v?env|\.?virtualenv|node_modules|vendor|site-packages|\.tox|\.nox|\.direnv|\.bundle|target|dist|third[_-]party|bower_components|Pods|_?deps)(?:\/|$)/;

/** Whether a path from the top of the project is in a directory of installed third-party programs. */
export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}
