/** Errors about a part of this program that is missing or not as installed: not the fault of the file it was to read. */

const NAME = 'DamagedProgram';

/**
 * The error to throw. Every bundle of dist/ may have its own copy of this function, so errors are recognised by name, not by class.
 * @param what which part, and what is wrong with it: `rules.pack is cut off`
 */
export function damagedProgram(what: string): Error {
  const message = `a part of the hook cannot be used: ${what}; install it again (\`policy doctor\` shows the line)`;
  const error = new Error(message, { cause: what });
  error.name = NAME;
  return error;
}

/** The message for a person at the command line, if part of the command cannot be used; null for every other error. */
export function damagedCommand(error: unknown): string | null {
  return isDamagedProgram(error) ? `a part of policy cannot be used: ${error.cause}; install the package again` : null;
}

export function isDamagedProgram(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}
