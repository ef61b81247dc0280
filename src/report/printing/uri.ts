/** A relative reference: each part of the path percent-encoded, so that nothing in a file name reads as a scheme or a query. */
export function uriOf(file: string): string {
  return file
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD')))
    .join('/');
}
