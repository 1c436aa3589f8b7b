/** A part of a line of light Markdown. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] };

/*
 * Every part ends at the first mark that could end it and none holds its own mark, so that reading takes time in
 * proportion to the text. Addresses are of the web or of mail: no other scheme makes a link.
 */
const PARTS = [
  /`(?<code>[^`\n]+)`/,
  /\[(?<label>[^[\]\n]+)\]\((?<url>(?:https?:\/\/|mailto:)[^\s()<>]+)\)/,
  /\*\*(?<strong>[^*\n]+)\*\*/,
  /\*(?<star>[^*\s](?:[^*\n]*[^*\s])?)\*/,
  /(?<![\p{L}\p{N}_])_(?<line>[^_\s](?:[^_\n]*[^_\s])?)_(?![\p{L}\p{N}_])/u,
  /(?<bare>https?:\/\/[^\s()<>]*[^\s()<>.,;:!?'"*_`])/,
];
const ANY = new RegExp(PARTS.map(({ source }) => source).join('|'), 'gu');

/** Reads what stands in a line, or in several that belong together. */
export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(ANY)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push(toPart(match.groups ?? {}, match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function toPart(groups: Record<string, string | undefined>, whole: string): Inline {
  const { code, label, url, strong, star, line, bare } = groups;
  if (code !== undefined) return { kind: 'code', text: code };
  if (label !== undefined && url !== undefined) return { kind: 'link', url, children: withoutLinks(label) };
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong) };
  const em = star ?? line;
  if (em !== undefined) return { kind: 'em', children: parseInline(em) };
  if (bare !== undefined) return { kind: 'link', url: bare, children: [{ kind: 'text', text: bare }] };
  return { kind: 'text', text: whole };
}

/** A link holds no other. */
function withoutLinks(text: string): Inline[] {
  const parts = parseInline(text);
  return parts.some(({ kind }) => kind === 'link') ? [{ kind: 'text', text }] : parts;
}
