/** A part of this program is missing or not what was installed: no fault of the file that it was to read. */
export class DamagedProgram extends Error {
  override readonly name = 'DamagedProgram';

  /** @param what which part, and what is wrong with it: `rules.pack is cut off` */
  constructor(what: string) {
    super(`a part of the hook cannot be used: ${what}; install it again`);
  }
}

/** Every bundle of dist/ may have its own copy of the class: the name tells. */
export function isDamagedProgram(error: unknown): error is DamagedProgram {
  return error instanceof Error && error.name === 'DamagedProgram';
}
