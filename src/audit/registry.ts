/** The controls, one file each; the checklist says in which order they are reported. */
import type { Control } from './control.js';
import { rm1 } from './controls/rm-1.js';
import { rm2 } from './controls/rm-2.js';
import { rm3 } from './controls/rm-3.js';
import { rm4 } from './controls/rm-4.js';
import { rm5 } from './controls/rm-5.js';

export const controls: ReadonlyMap<string, Control> = new Map([rm1, rm2, rm3, rm4, rm5].map((control) => [control.id, control]));
