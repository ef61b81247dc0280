/** What dist/hook-main.cjs lends to dist/compile.cjs, by name. The bundler puts the real table in this file's place (.ci/lend.mjs). */

/** The table, made anew at each call. */
export function lentTable(): Readonly<Record<string, unknown>> {
  return {};
}
