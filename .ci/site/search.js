// Finds sections in which each word stands; those with it in the title come first. The list of sections is loaded at the first keystroke.
const input = document.querySelector('search input');
const list = document.querySelector('search ul');
const state = document.querySelector('search [role=status]');
const root = document.documentElement.dataset.root;
let loading = null;

function sections() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}sections.js`;
    script.onload = () => resolve(globalThis.sections);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

function rank({ page, title, text }, words) {
  const head = `${page} ${title}`.toLowerCase();
  const body = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (head.includes(word)) sum += 10;
    else if (body.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 140)}…`;
}

function entry({ page, title, text, url }, words) {
  const link = document.createElement('a');
  link.href = root + url;
  link.textContent = title === page ? page : `${page}: ${title}`;
  const line = document.createElement('small');
  line.textContent = excerpt(text, words[0]);
  link.append(line);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

input.addEventListener('input', async () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length === 0 ? [] : await sections();
  const found = all
    .map((section) => ({ section, score: rank(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  list.replaceChildren(...found.slice(0, 12).map(({ section }) => entry(section, words)));
  list.hidden = found.length === 0;
  state.textContent = words.length === 0 ? '' : `${found.length} sections found`;
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  list.hidden = true;
  input.value = '';
});
