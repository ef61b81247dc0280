/** One setting from all layers: which value applies, and a note for each that does not. */
import { type Lock, lockedBy, note, type PolicyLayer, settingName, settingRefused, untrusted } from './layers.js';
import type { PolicyNote } from './policy.js';
import { shown } from './sentences.js';
import { type Setting, settingKeys } from './settings.js';
import { isStricter, SETTINGS, type SettingKey, type StrictnessOrder, UNWRITTEN } from './strictness.js';

/** A value written by a layer. */
interface Write {
  readonly layer: PolicyLayer;
  readonly setting: Setting;
}

/** The result for one setting. */
export interface Resolved {
  readonly setting: Setting;
  readonly layer: PolicyLayer['layer'];
  /** True if only untrusted layers wrote it. */
  readonly untrusted: boolean;
}

/** All settings that some layer wrote and that apply. */
export class Resolution {
  readonly notes: PolicyNote[] = [];
  private readonly values = new Map<string, Resolved>();
  private readonly lists = new Map<SettingKey, unknown[]>();
  private readonly lock: Lock | null;

  /** `layers` are in order, from far to near. */
  constructor(layers: readonly PolicyLayer[], lock: Lock | null) {
    this.lock = lock;
    for (const key of settingKeys()) {
      const nature = SETTINGS[key];
      for (const writes of this.writesOf(layers, key)) {
        if (nature.kind === 'union') this.lists.set(key, this.union(writes));
        else this.choose(writes, nature);
      }
    }
  }

  /** The setting's value; undefined if no layer's value applies. */
  value(key: SettingKey): unknown {
    return this.values.get(key)?.setting.value;
  }

  get(key: SettingKey): Resolved | undefined {
    return this.values.get(key);
  }

  /** The members of a map or named list, by name as the winning layer spells it. */
  members(key: SettingKey): readonly Setting[] {
    return [...this.values.values()].filter(({ setting }) => setting.key === key).map(({ setting }) => setting);
  }

  /** The united list of a union setting, without duplicates. */
  list(key: SettingKey): readonly unknown[] {
    return [...new Set(this.lists.get(key) ?? [])];
  }

  /** The permitted writes of one setting, one group per member. */
  private writesOf(layers: readonly PolicyLayer[], key: SettingKey): Iterable<Write[]> {
    const groups = new Map<string, Write[]>();
    for (const layer of layers) {
      for (const setting of layer.document.settings) {
        if (setting.key !== key) continue;
        const refused = settingRefused(setting, layer, this.lock);
        if (refused !== null) this.notes.push(refused);
        else {
          const group = groups.get(idOf(setting)) ?? [];
          group.push({ layer, setting });
          groups.set(idOf(setting), group);
        }
      }
    }
    return groups.values();
  }

  /** Every layer adds to a list; an untrusted layer only if adding tightens. */
  private union(writes: readonly Write[]): unknown[] {
    return writes.flatMap(({ layer, setting }) => {
      const nature = SETTINGS[setting.key];
      if (!layer.trusted && nature.kind === 'union' && nature.adding === 'loosens') {
        this.ignoreUntrusted({ layer, setting });
        return [];
      }
      return Array.isArray(setting.value) ? setting.value : [];
    });
  }

  /** Trusted layers first: the nearest, or the strictest once locked, within the managed bound; then untrusted layers may tighten. */
  private choose(writes: readonly Write[], nature: StrictnessOrder): void {
    const trusted = writes.filter(({ layer }) => layer.trusted);
    let chosen = this.lock === null ? this.nearest(trusted, nature) : this.strictest(trusted, nature, this.lock);
    for (const write of writes.filter(({ layer }) => !layer.trusted)) {
      if (this.tightens(write.setting, chosen?.setting, nature)) chosen = write;
      else if (chosen === undefined || compared(write.setting) !== compared(chosen.setting)) this.ignoreUntrusted(write);
    }
    if (chosen === undefined) return;
    const { setting, layer } = chosen;
    this.values.set(idOf(setting), { setting, layer: layer.layer, untrusted: trusted.length === 0 });
  }

  private nearest(writes: readonly Write[], nature: StrictnessOrder): Write | undefined {
    const managed = writes.findLast(({ layer }) => layer.layer === 'managed');
    let chosen = managed;
    for (const write of writes) {
      if (managed === undefined || write.layer.layer === 'managed' || isAtLeastAsStrict(write, managed, nature)) chosen = write;
      else {
        const why = `the managed policy says ${shown(compared(managed.setting))} (${managed.setting.source.file}:${managed.setting.source.line})`;
        this.ignore(write, 'managed/bound', why);
      }
    }
    return chosen;
  }

  /**
   * The strictest value. Of two values that cannot be compared (`plan`, `ask`) neither applies, but the one that is stricter than
   * both: `deny`.
   */
  private strictest(writes: readonly Write[], nature: StrictnessOrder, lock: Lock): Write | undefined {
    let chosen: Write | undefined;
    for (const write of writes) {
      if (chosen === undefined || isAtLeastAsStrict(write, chosen, nature)) chosen = write;
      else if (isAtLeastAsStrict(chosen, write, nature)) this.ignore(write, 'lock/loosening-ignored', lockedBy(lock));
      else if (nature.kind !== 'choice') this.ignore(write, 'lock/loosening-ignored', lockedBy(lock));
      else {
        const [strictest] = nature.stricter.keys();
        this.ignore(
          write,
          'lock/strictest',
          `it is not stricter than ${shown(compared(chosen.setting))}; ${shown(strictest)} is, and counts`,
        );
        chosen = { layer: write.layer, setting: { ...write.setting, value: strictest } };
      }
    }
    return chosen;
  }

  /** Whether a value from an untrusted layer is certainly stricter than the value that applies without it. */
  private tightens(setting: Setting, current: Setting | undefined, nature: StrictnessOrder): boolean {
    const value = compared(setting);
    if (current !== undefined) return isStricter(nature, value, compared(current));
    if (!setting.key.startsWith('tiers.')) return isStricter(nature, value, UNWRITTEN);
    // An unwritten tier falls through to the default (which settingKeys lists, and thus resolves, before the tiers).
    const fallback = this.value('default');
    return value === 'deny' || (value === 'ask' && fallback !== 'deny' && fallback !== 'plan');
  }

  private ignoreUntrusted(write: Write): void {
    this.ignore(write, 'layer/untrusted-setting', `${untrusted(write.layer)} can only add restrictions`);
  }

  private ignore({ setting }: Write, code: string, why: string): void {
    this.notes.push(note(code, `${settingName(setting)}: ${shown(compared(setting))} is ignored: ${why}.`, setting.source));
  }
}

/** The key under which writes of the same setting are grouped; tool names are not case-sensitive. */
function idOf({ key, member }: Setting): string {
  return member === null ? key : `${key} ${key === 'custom_tools' ? member.toLowerCase() : member}`;
}

/** The value that the strictness table compares: for a custom tool, its tier. */
function compared(setting: Setting): unknown {
  if (setting.key !== 'custom_tools') return setting.value;
  return Object.getOwnPropertyDescriptor(Object(setting.value), 'tier')?.value;
}

function isAtLeastAsStrict(write: Write, bound: Write, nature: StrictnessOrder): boolean {
  const value = compared(write.setting);
  const limit = compared(bound.setting);
  return value === limit || isStricter(nature, value, limit);
}
