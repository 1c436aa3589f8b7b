/** Placeholder for a hidden value. When a client sends it back in an update, the stored value is kept. */
export const HIDDEN = '[hidden]';
/** What is wrong with a hidden value that cannot be kept. */
export const NOT_KEPT = {
  nothing_stored: 'is hidden, but no value is stored under this name: enter the value itself',
  origin_changed: 'is hidden, and not sent to another host: enter the value again',
} as const;
/** Headers whose values are not secret, in lower case. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

/** The headers with every value hidden that may be secret. */
export function hideHeaders(headers: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, SHOWN_HEADERS.has(name.toLowerCase()) ? value : HIDDEN]),
  );
}

/** A webhook URL up to its host: chat webhooks carry a token in the path. */
export function hideUrl(url: string): string {
  return `${new URL(url).origin}/${HIDDEN}`;
}

/** The names of the headers whose values are hidden. */
export function listHiddenHeaders(headers: Record<string, string>): string[] {
  return Object.keys(headers).filter((name) => headers[name] === HIDDEN);
}
