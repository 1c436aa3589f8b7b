/** Stands for a value that is not shown. Sent back in a change, it keeps what is stored under that name. */
export const HIDDEN = '[hidden]';

/** Headers whose values tell how a request is made and give nobody access, in lower case. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

/** The headers with their values hidden, but for those that hold no secret. */
export function hideHeaders(headers: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, SHOWN_HEADERS.has(name.toLowerCase()) ? value : HIDDEN]),
  );
}

/** A webhook's URL up to its host: those of chat products carry a token in their path. */
export function hideUrl(url: string): string {
  return `${new URL(url).origin}/${HIDDEN}`;
}

/** The names of the headers whose values are hidden. */
export function listHiddenHeaders(headers: Record<string, string>): string[] {
  return Object.keys(headers).filter((name) => headers[name] === HIDDEN);
}
