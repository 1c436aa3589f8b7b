/** The trimmed, non-empty parts of a text; stops after `limit` and one more, so that a schema can reject it. */
export function splitList(text: string, separator: string, limit: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start <= text.length && parts.length <= limit; ) {
    const cut = text.indexOf(separator, start);
    const end = cut < 0 ? text.length : cut;
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end + separator.length;
  }
  return parts;
}
