export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] };

// Every part ends at the first possible end mark and cannot contain it, so parsing takes linear time. Only http(s) and mailto
// URLs become links.
const PARTS = [
  /`(?<code>[^`\n]+)`/,
  /\[(?<label>[^[\]\n]+)\]\((?<url>(?:https?:\/\/|mailto:)[^\s()<>]+)\)/,
  /\*\*(?<strong>[^*\n]+)\*\*/,
  /\*(?<star>[^*\s](?:[^*\n]*[^*\s])?)\*/,
  /(?<![\p{L}\p{N}_])_(?<line>[^_\s](?:[^_\n]*[^_\s])?)_(?![\p{L}\p{N}_])/u,
  /(?<bare>https?:\/\/[^\s()<>]*[^\s()<>.,;:!?'"*_`])/,
];

const ANY = new RegExp(PARTS.map(({ source }) => source).join('|'), 'gu');

/** A block of Markdown. HTML is not supported: tags are text. */
export type Block =
  /** `depth` 0 is one level below the surrounding heading; no heading is more than one level deeper than the previous one. */
  | { kind: 'heading'; depth: number; children: Inline[] }
  | { kind: 'paragraph' | 'quote'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string };

const FENCE = /^```/;
const HEADING = /^(#{1,3})\s+(\S.*)$/;
const QUOTE = /^>\s?(.*)$/;
const BULLET = /^\s{0,3}[-*]\s+(\S.*)$/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+(\S.*)$/;

/**
 * Parses a subset of Markdown: headings, paragraphs with their line breaks, quotes, flat lists, fenced code, bold, italic, inline
 * code and links. Never fails; everything else is plain text.
 */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  const outline: number[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const read =
      readCode(lines, at) ?? readHeading(line, outline) ?? readGroup(lines, at) ?? readParagraph(lines, at);
    blocks.push(read.block);
    at += read.length;
  }
  return blocks;
}

type Read = { block: Block; length: number };

/** An unclosed fence extends to the end. */
function readCode(lines: string[], at: number): Read | null {
  if (!FENCE.test(lines[at] ?? '')) return null;
  let end = at + 1;
  while (end < lines.length && !FENCE.test(lines[end] ?? '')) end += 1;
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, length: end + 1 - at };
}

/** `outline` is the stack of the levels of the parent headings, which is updated. */
function readHeading(line: string, outline: number[]): Read | null {
  const [, marks = '', text] = HEADING.exec(line) ?? [];
  if (text === undefined) return null;
  while ((outline.at(-1) ?? 0) >= marks.length) outline.pop();
  outline.push(marks.length);
  return { block: { kind: 'heading', depth: outline.length - 1, children: parseInline(text) }, length: 1 };
}

/** Consecutive lines with the same prefix: a quote or a list. */
function readGroup(lines: string[], at: number): Read | null {
  for (const mark of [QUOTE, BULLET, NUMBER]) {
    const items = takeWhile(lines, at, (line) => mark.exec(line)?.[1]);
    if (items.length === 0) continue;
    const block: Block =
      mark === QUOTE
        ? { kind: 'quote', children: parseInline(items.join('\n')) }
        : { kind: 'list', ordered: mark === NUMBER, items: items.map(parseInline) };
    return { block, length: items.length };
  }
  return null;
}

function readParagraph(lines: string[], at: number): Read {
  const [first = '', ...more] = lines.slice(at);
  const continues = (line: string) => (line.trim() === '' || beginsBlock(line) ? undefined : line);
  const taken = [first, ...takeWhile(more, 0, continues)];
  const text = taken.map((line) => line.trim()).join('\n');
  return { block: { kind: 'paragraph', children: parseInline(text) }, length: taken.length };
}

function beginsBlock(line: string): boolean {
  return [FENCE, HEADING, QUOTE, BULLET, NUMBER].some((mark) => mark.test(line));
}

function takeWhile(lines: string[], at: number, read: (line: string) => string | undefined): string[] {
  const taken: string[] = [];
  for (let index = at; index < lines.length; index++) {
    const text = read(lines[index] ?? '');
    if (text === undefined) break;
    taken.push(text);
  }
  return taken;
}

/** Parses the inline parts of one or more lines. */
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

/** Links cannot contain links. */
function withoutLinks(text: string): Inline[] {
  const parts = parseInline(text);
  return parts.some(({ kind }) => kind === 'link') ? [{ kind: 'text', text }] : parts;
}
