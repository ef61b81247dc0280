/** A page of HTML that needs nothing else: no script, no picture, no font of others. */

/**
 * The whole document.
 * @param title text of ours
 * @param body markup, in which every text of a stranger is escaped
 */
export function htmlPage(title: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}</body>
</html>
`;
}
