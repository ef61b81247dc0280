// The tables of this folder: every array of rows that a file rows-*.ts exports.
import { readdirSync } from 'node:fs';
import type { Row } from './linted.js';

const tables = readdirSync(import.meta.dirname).filter((name) => /^rows-[\w-]+\.js$/.test(name));
const modules = await Promise.all(tables.map(async (name) => Object.values<unknown>(await import(`./${name}`))));

export const rows: readonly Row[] = modules
  .flat()
  .filter((one): one is readonly Row[] => Array.isArray(one))
  .flat();
