/** The controls with code of their own, one file each; the checklists determine the order of all controls in a report. */
import type { Control } from '../subject/control.js';
import { as1 } from './as-1.js';
import { as2 } from './as-2.js';
import { as3 } from './as-3.js';
import { as4 } from './as-4.js';
import { as7 } from './as-7.js';
import { as9 } from './as-9.js';
import { as10 } from './as-10.js';
import { rm1 } from './rm-1.js';
import { rm2 } from './rm-2.js';
import { rm3 } from './rm-3.js';
import { rm4 } from './rm-4.js';
import { rm5 } from './rm-5.js';

export const controls: ReadonlyMap<string, Control> = new Map(
  [rm1, rm2, rm3, rm4, rm5, as1, as2, as3, as4, as7, as9, as10].map((control) => [control.id, control]),
);
