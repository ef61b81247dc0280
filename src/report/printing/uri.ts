/** Returns a relative reference: each part of the path is percent-encoded, so that no file name can be read as a scheme or a query. */
export function uriOf(file: string): string {
  return file
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD')))
    .join('/');
}
