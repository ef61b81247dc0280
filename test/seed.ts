/** The seed of the day, or of `SEED=… npm test`: as test/seed.mjs set it for properties, for everything else that draws by chance. */
import * as fc from 'fast-check';

/** A whole number that `--seed` of the oracle and of the fuzzer takes, too. Without test/seed.mjs it is always the same. */
export const seed = (fc.readConfigureGlobal()?.seed ?? 1) >>> 0;
