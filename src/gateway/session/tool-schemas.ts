/** The input schemas of the tools that a server has listed, each compiled when its tool is called first. */
import { isRecord } from '../protocol/message.js';
import { type ArgumentCheck, argumentCheck } from './validator.js';

const MOST_TOOLS = 10_000;

export class ToolSchemas {
  readonly #schemas = new Map<string, object>();
  readonly #checks = new Map<string, ArgumentCheck | null>();

  /** Takes the tools of a list that the client may use; a tool that is listed again has its new schema. */
  take(tools: readonly unknown[]): void {
    for (const tool of tools) {
      if (!isRecord(tool) || typeof tool.name !== 'string' || !isRecord(tool.inputSchema)) continue;
      if (this.#schemas.size >= MOST_TOOLS) this.#schemas.clear();
      this.#schemas.set(tool.name, tool.inputSchema);
      this.#checks.delete(tool.name);
    }
  }

  schemaOf(tool: string): object | undefined {
    return this.#schemas.get(tool);
  }

  /** Returns the first mistake in the arguments of a call, as a phrase; null if there is none, or if the tool was not listed. */
  mistake(tool: string, input: unknown): string | null {
    const schema = this.#schemas.get(tool);
    if (schema === undefined) return null;
    let check = this.#checks.get(tool);
    if (check === undefined) {
      check = argumentCheck(schema);
      this.#checks.set(tool, check);
    }
    return check?.(input) ?? null;
  }
}
