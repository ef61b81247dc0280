/** Letters of other alphabets that look like Latin ones. */

/** Cyrillic and Greek letters; α, λ and µ are symbols that people write on purpose. */
const LOOKALIKE =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u04bb\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0422\u0425\u03bf\u03bd\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]/u;

/** Returns the first such letter of an otherwise Latin name; null for a name in one alphabet. */
export function lookalikeIn(name: string): string | null {
  const read = name.slice(0, 512);
  return /\p{Script=Latin}/u.test(read) ? (LOOKALIKE.exec(read)?.[0] ?? null) : null;
}
