/** A part of this program is missing or not what was installed: no fault of the file that it was to read. */

const NAME = 'DamagedProgram';

/**
 * The error to throw. Every bundle of dist/ may have this function, so a name tells, not a class.
 * @param what which part, and what is wrong with it: `rules.pack is cut off`
 */
export function damagedProgram(what: string): Error {
  const message = `a part of the hook cannot be used: ${what}; install it again (\`policy doctor\` shows the line)`;
  const error = new Error(message, { cause: what });
  error.name = NAME;
  return error;
}

/** The sentence for a person at the command line, of which a part cannot be used; null for every other error. */
export function damagedCommand(error: unknown): string | null {
  return isDamagedProgram(error) ? `a part of policy cannot be used: ${error.cause}; install the package again` : null;
}

export function isDamagedProgram(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}
