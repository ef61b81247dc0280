/** The same function for the first call; further ones do nothing. */
export function onceOnly(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
