/** Whether a shell line fetches a program and immediately runs it. Used only for findings: it does not allow anything. */

const FETCH = '(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|fetch)';
/** With a program of its own (`python3 -m json.tool`, `node -e …`) an interpreter treats its input as data. */
const WITH_PROGRAM = String.raw`(?!\s+-{1,2}(?:[A-Za-z]{0,3}[cemnp]\b|eval|print))`;
const INTERPRETER = String.raw`(?:(?:/[\w/.-]{0,60}/)?(?:sudo|env|nohup)\s+)*(?:/[\w/.-]{0,60}/)?(?:(?:sh|bash|zsh|dash|ksh|fish|iex|Invoke-Expression)\b|(?:python[23]?|node|perl|ruby|php)\b${WITH_PROGRAM})`;

const FORMS: readonly RegExp[] = [
  // curl … | sh
  new RegExp(String.raw`\b${FETCH}\b[^;&\n|]{0,400}\|(?:[^;&\n|]{0,100}\|){0,3}\s*${INTERPRETER}`, 'i'),
  // sh -c "$(curl …)", eval "$(curl …)", bash <(curl …)
  new RegExp(
    String.raw`\b(?:sh|bash|zsh|eval|source|python[23]?|node|perl|ruby)\b[^;&\n|]{0,60}(?:\$\(|<\(|${'`'})\s*${FETCH}\b`,
    'i',
  ),
  // iex (irm …)
  new RegExp(String.raw`\b(?:iex|Invoke-Expression)\b[^;\n|]{0,60}\(\s*${FETCH}\b`, 'i'),
];

const ANY_FETCH = new RegExp(String.raw`\b${FETCH}\b`, 'i');

/** Whether any line of a text may be such a line. */
export function fetchesSomething(text: string): boolean {
  return ANY_FETCH.test(text);
}

/** Examines the first 10,000 characters. */
export function downloadsAndRuns(line: string): boolean {
  const text = line.slice(0, 10_000);
  return FORMS.some((form) => form.test(text));
}
