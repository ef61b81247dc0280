// The hook's files as JavaScript, which .ci/modules.mjs makes modules of: with notes of what runs, or without what no typical call runs.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { transformSync } from 'esbuild';
import { withoutParts, withTellingParts } from './cold-parts.mjs';
import { withoutPrivateMethods } from './out-of-classes.mjs';
import { apartFrom, KINDS, setApart } from './set-apart.mjs';

/** The JavaScript of the hook's files, in which the parts of functions note that they ran. */
export function tellingTexts() {
  return once((file) =>
    withTellingParts(
      javaScriptOf(file),
      (begin) => `(globalThis.partsRun ??= new Set()).add(${JSON.stringify(`${file}:${begin}`)})`,
    ),
  );
}

/**
 * The JavaScript of the hook's files without what most calls do not run, which lies in files of its own.
 * @param unrun file → kind → names of functions
 * @param partsRan parts of functions that ran, each as `file:place`
 */
export function textsWithout(unrun, partsRan) {
  const apart = new Map();
  return once((file) => {
    const moved = apart.get(file);
    if (moved !== undefined) return moved;
    const text = javaScriptOf(file);
    if (!unrun.has(file)) return text;
    const going = new Set(KINDS.flatMap((kind) => [...unrun.get(file)[kind]]));
    const warm = withoutParts(text, (begin) => !partsRan.has(`${file}:${begin}`), going);
    return KINDS.reduce((kept, kind) => {
      const names = new Set([...unrun.get(file)[kind], ...(kind === 'apart' ? warm.names : [])]);
      const parts = setApart(kept, `./${basename(file, '.ts')}.js`, names, kind);
      if (parts !== null) apart.set(apartFrom(file, kind), parts.apart);
      return parts?.kept ?? kept;
    }, warm.text);
  });
}

function once(give) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, give(key));
    return known.get(key);
  };
}

/** A class with fields of its own has one function more, which V8 compiles when the first object is made. */
const FIELDS = { compilerOptions: { useDefineForClassFields: false } };

const javaScriptOf = once((file) => {
  const text = readFileSync(file, 'utf8');
  const known = /^export (?:let|default|\*)|\bimport\(|^import \*/m.exec(withoutTypes(text));
  if (known !== null) throw new Error(`${file}: the hook's modules cannot hold ${known[0]}`);
  return file.endsWith('.ts')
    ? transformSync(withoutPrivateMethods(text), { loader: 'ts', format: 'esm', target: 'node20.19', tsconfigRaw: FIELDS }).code
    : text;
});

const withoutTypes = (text) => text.replace(/typeof import\(/g, '');
