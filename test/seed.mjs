// Loaded before the tests: properties draw other values every day (UTC), and the same ones all day, so that what fails in CI fails
// wherever it is run again. `SEED=… npm test` draws those of that seed; a seed is a whole number.
import fc from 'fast-check';

const DAY = 86_400_000;
// Two days in a row shall not draw alike.
const SPREAD = 0x9e3779b1;

const seed = Number(process.env.SEED ?? Math.imul(Math.floor(Date.now() / DAY), SPREAD));
if (!Number.isInteger(seed)) throw new Error('SEED must be a whole number');
fc.configureGlobal({ seed });
