/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Replaces each `{name}` in a template with its value; names without a value are left unchanged. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

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

/** A number of bytes for people: `512 B`, `34 KB`, `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
