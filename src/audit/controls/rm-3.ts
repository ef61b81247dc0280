/** RM-3, no sandbox modifications: nothing gathers evidence for it, so that it stays unproven and says what would be needed. */
import type { Control } from '../control.js';

export const rm3: Control = { id: 'RM-3', examine: async () => new Map() };
