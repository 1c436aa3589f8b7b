/** What follows in these paths admits anyone who knows it. */
const SECRET = /(\/(?:acknowledge|invitation)\/)[^/]+/;

/** A URL or its path as logs and traces show it: without its query and the secrets in its path. */
export function visiblePath(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(SECRET, '$1…');
}
