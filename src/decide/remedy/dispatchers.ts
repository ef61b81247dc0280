/** Programs of a project or of what it installed that take any code, program or task as an argument: no rule should end in `*` behind them. */

const NAMES =
  /^(?:manage\.py|rails|rake|bundle|spring|kamal|thrust|sail|importmap|console|artisan|gradlew|mvnw|(?:noxfile|tasks|fabfile)\.py|(?:.*[-_.])?entrypoint(?:[-_.].*)?|(?:wait-for|wait_for|with|run-in|run_in|exec|run-with|retry)(?:[-_.].*)?)$/i;

/** Whether a file of this name is one. */
export function takesCode(name: string): boolean {
  return NAMES.test(name);
}

/** Folders into which other people's programs are installed. */
const INSTALLED =
  /(?:^|\/)(?:\.?v?env|\.?virtualenv|node_modules|vendor|site-packages|\.tox|\.nox|\.direnv|\.bundle|target|dist)(?:\/|$)/;

/** Whether a path from the top of the project lies where programs of others are installed. */
export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}
