/** Whether the tools of a server are those that a person pinned, for one session: every list that the server sends is compared. */
import { changedParts, type Definition, definitionOf, LONGEST_TEXT, NEWEST, type PinVersion, type ReadPin } from './pin.js';

/** Names that are remembered, and definitions of one name: a server that sends more does not get its tools through. */
const MOST_TOOLS = 10_000;
const MOST_DEFINITIONS = 8;

export class PinCheck {
  readonly #server: string;
  readonly #read: () => ReadPin;
  #pin: ReadPin = null;
  /** What the client has been told about each tool in this session. A model remembers what was once there. */
  readonly #listed = new Map<string, readonly Definition[]>();

  constructor(server: string, read: () => ReadPin) {
    this.#server = server;
    this.#read = read;
  }

  /** Takes the tools of one page of a list. */
  take(tools: readonly unknown[]): void {
    const pin = this.#current();
    if (pin === null) return;
    for (const tool of tools) {
      const found = definitionOf(tool, versionOf(pin));
      if (found === null) continue;
      const isLong = (found.text?.length ?? 0) > LONGEST_TEXT;
      const definition = isLong ? { ...found, text: null } : found;
      if (this.#listed.size >= MOST_TOOLS) this.#listed.clear();
      const known = this.#listed.get(definition.name) ?? [];
      if (known.length < MOST_DEFINITIONS && !known.some(({ digest }) => digest === definition.digest))
        this.#listed.set(definition.name, [...known, definition]);
    }
  }

  /** Returns how a tool differs from the pinned one, as a clause; null if it does not, or if the server is not pinned. */
  changeOf(name: string): string | null {
    const pin = this.#current();
    if (pin === null) return null;
    if (pin === 'damaged') return "its server's pin cannot be read, so a person must pin the server again";
    const shows = `(policy mcp diff --server ${this.#server} shows it)`;
    const pinned = pin.tools.get(name);
    if (pinned === undefined) return `the server had no such tool when it was pinned on ${pin.day} ${shows}`;
    const listed = this.#listed.get(name);
    if (listed === undefined) return `it was not compared with the pin of ${pin.day}: the client must first list the tools`;
    const other = listed.find(({ digest }) => digest !== pinned.digest);
    return other === undefined ? null : `${changeSaid(pinned, other)} since it was pinned on ${pin.day} ${shows}`;
  }

  #current(): ReadPin {
    const now = this.#read();
    const before = this.#pin;
    if (now === before) return now;
    this.#pin = now;
    // Definitions for pins of another version cannot be compared: the client has to list the tools again.
    if (versionOf(before) !== versionOf(now)) this.#listed.clear();
    // Whoever pins again has seen what replaces the former definition, and nothing else that was there in between.
    if (before !== null && before !== 'damaged' && now !== null && now !== 'damaged')
      for (const [name, listed] of this.#listed) {
        const former = before.tools.get(name)?.digest;
        const others = former === now.tools.get(name)?.digest ? listed : listed.filter(({ digest }) => digest !== former);
        if (others.length > 0) this.#listed.set(name, others);
        else this.#listed.delete(name);
      }
    return now;
  }
}

function versionOf(pin: ReadPin): PinVersion {
  return pin === null || pin === 'damaged' ? NEWEST : pin.version;
}

/** `its description changed`; `its input schema and annotations changed`. */
export function changeSaid(before: Definition, after: Definition): string {
  const parts = changedParts(before, after);
  const [last = 'definition'] = parts.slice(-1);
  return `its ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ` : ''}${last} changed`;
}
