/** A part of this program is missing or not what was installed: no fault of the file that it was to read. */

const NAME = 'DamagedProgram';

/**
 * The error to throw. Every bundle of dist/ may have this function, so a name tells, not a class.
 * @param what which part, and what is wrong with it: `rules.pack is cut off`
 */
export function damagedProgram(what: string): Error {
  const error = new Error(`a part of the hook cannot be used: ${what}; install it again (\`policy doctor\` shows the line)`);
  error.name = NAME;
  return error;
}

export function isDamagedProgram(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}
