/** RM-5, clear labelling: nothing gathers evidence for it, so that it stays unproven and says what would be needed. */
import type { Control } from '../control.js';

export const rm5: Control = { id: 'RM-5', examine: async () => new Map() };
