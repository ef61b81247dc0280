/** Writes a tree as YAML, JSON or TOML and remembers, while it writes, where the marked keys and values start. */

export type Scalar = string | number | boolean;

export interface Entry {
  key: string;
  value: Tree;
  /** What the test is about: the place where the key, or the value, starts. */
  mark?: 'key' | 'value';
}
export interface Item {
  value: Tree;
  mark?: 'value';
}
export type Tree = { readonly scalar: Scalar } | { readonly list: Item[] } | { readonly map: Entry[] };

export interface Page {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

class Writer {
  text = '';
  line = 1;
  column = 1;
  marked: { line: number; column: number } | null = null;

  write(piece: string): void {
    this.text += piece;
    const lines = piece.split('\n');
    if (lines.length > 1) {
      this.line += lines.length - 1;
      this.column = 1;
    }
    this.column += (lines.at(-1) ?? '').length;
  }

  /** The place of the last mark counts: a duplicate key is marked where it stands the second time. */
  mark(wanted: boolean): void {
    if (wanted) this.marked = { line: this.line, column: this.column };
  }

  page(): Page {
    if (this.marked === null) throw new Error('nothing was marked');
    return { text: this.text, ...this.marked };
  }
}

export function toJson(root: Entry[]): Page {
  const out = new Writer();
  const value = (tree: Tree, indent: string): void => {
    const deeper = `${indent}  `;
    if ('scalar' in tree) out.write(JSON.stringify(tree.scalar));
    else if ('list' in tree) {
      out.write('[');
      for (const [index, item] of tree.list.entries()) {
        out.write(index === 0 ? `\n${deeper}` : `,\n${deeper}`);
        out.mark(item.mark === 'value');
        value(item.value, deeper);
      }
      out.write(`\n${indent}]`);
    } else {
      out.write('{');
      for (const [index, entry] of tree.map.entries()) {
        out.write(index === 0 ? `\n${deeper}` : `,\n${deeper}`);
        out.mark(entry.mark === 'key');
        out.write(`${JSON.stringify(entry.key)}: `);
        out.mark(entry.mark === 'value');
        value(entry.value, deeper);
      }
      out.write(`\n${indent}}`);
    }
  };
  value({ map: root }, '');
  return out.page();
}

export function toYaml(root: Entry[]): Page {
  const out = new Writer();
  const scalar = (text: Scalar): void => {
    const plain = typeof text !== 'string' || /^[A-Za-z][A-Za-z0-9_-]*$/.test(text);
    out.write(plain ? String(text) : JSON.stringify(text));
  };
  const map = (entries: Entry[], indent: string, first: string): void => {
    for (const [index, entry] of entries.entries()) {
      out.write(index === 0 ? first : indent);
      out.mark(entry.mark === 'key');
      out.write(/^[A-Za-z$][\w$-]*$/.test(entry.key) ? `${entry.key}:` : `${JSON.stringify(entry.key)}:`);
      below(entry.value, indent, entry.mark === 'value');
    }
  };
  const below = (tree: Tree, indent: string, marked: boolean): void => {
    if ('scalar' in tree) {
      out.write('  ');
      out.mark(marked);
      scalar(tree.scalar);
      out.write(' # a comment: [not, yaml]\n');
    } else if ('list' in tree) {
      out.write('\n');
      for (const item of tree.list) {
        out.write(`${indent}  - `);
        out.mark(item.mark === 'value');
        if ('scalar' in item.value) {
          scalar(item.value.scalar);
          out.write('\n');
        } else if ('map' in item.value) map(item.value.map, `${indent}    `, '');
      }
    } else {
      out.write('\n');
      map(tree.map, `${indent}  `, `${indent}  `);
    }
  };
  out.write('# a policy\n');
  map(root, '', '');
  return out.page();
}

/** Maps of the first level become `[headers]`, everything below is inline. */
export function toToml(root: Entry[]): Page {
  const out = new Writer();
  const key = (entry: Entry): void => {
    out.mark(entry.mark === 'key');
    out.write(/^[A-Za-z0-9_-]+$/.test(entry.key) ? entry.key : JSON.stringify(entry.key));
  };
  const pair = (entry: Entry): void => {
    key(entry);
    out.write(' = ');
    out.mark(entry.mark === 'value');
    value(entry.value);
  };
  const value = (tree: Tree): void => {
    if ('scalar' in tree) {
      const { scalar } = tree;
      const literal = typeof scalar === 'string' && !scalar.includes("'") && scalar !== '';
      out.write(literal ? `'${scalar}'` : JSON.stringify(scalar));
    } else if ('list' in tree) {
      out.write('[ # entries\n');
      for (const item of tree.list) {
        out.write('  ');
        out.mark(item.mark === 'value');
        value(item.value);
        out.write(',\n');
      }
      out.write(']');
    } else {
      out.write('{ ');
      for (const [index, entry] of tree.map.entries()) {
        if (index > 0) out.write(', ');
        pair(entry);
      }
      out.write(' }');
    }
  };
  const isTable = (entry: Entry): boolean => 'map' in entry.value;
  for (const entry of root.filter((one) => !isTable(one))) {
    pair(entry);
    out.write('\n');
  }
  for (const entry of root.filter(isTable)) {
    out.write('\n[');
    key(entry);
    out.write(']\n');
    for (const inner of 'map' in entry.value ? entry.value.map : []) {
      pair(inner);
      out.write('\n');
    }
  }
  return out.page();
}
