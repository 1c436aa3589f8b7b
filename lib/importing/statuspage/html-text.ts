import { decodeHTMLStrict } from 'entities';

/** The tags that Statuspage permits in texts. Anything else in angle brackets is text. */
const TAG =
  /<(\/?)(a|b|strong|i|em|u|small|span|font|br|hr|p|div|ul|ol|li|h[1-6]|blockquote|code|pre)\b([^<>]*)>/gi;
const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const BREAKS = new Map([
  ['br', '\n'],
  ['div', '\n'],
  ['li', '\n'],
  ...['hr', 'p', 'ul', 'ol', 'blockquote', 'pre'].map((name) => [name, '\n\n'] as const),
]);
const MARKS = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['code', '`'],
]);

/** The text of simple HTML: paragraphs, lists with hyphens, and the addresses of links in parentheses. */
export function htmlToText(html: string): string {
  return convert(html, false);
}

/** The same as light Markdown; Markdown in it stays. */
export function htmlToMarkdown(html: string): string {
  return convert(html, true);
}

function convert(html: string, isMarkdown: boolean): string {
  const parts: string[] = [];
  let link: { url: string; from: number } | null = null;
  let end = 0;
  for (const match of html.matchAll(TAG)) {
    const [tag, slash, written = '', attributes = ''] = match;
    parts.push(decodeEntities(html.slice(end, match.index)));
    end = match.index + tag.length;
    const name = written.toLowerCase();
    if (name !== 'a') {
      parts.push(markOf(name, { isEnd: slash === '/', isMarkdown }));
    } else if (link !== null) {
      const label = parts.splice(link.from).join('').trim();
      parts.push(formatLink(label, link.url, isMarkdown));
      link = null;
    } else {
      const url = decodeEntities(HREF.exec(attributes)?.slice(1).find(Boolean) ?? '').trim();
      if (slash === '' && /^(https?:\/\/|mailto:)[^\s()]+$/i.test(url)) link = { url, from: parts.length };
    }
  }
  parts.push(decodeEntities(html.slice(end)));
  return tidy(parts.join(''));
}

function markOf(name: string, { isEnd, isMarkdown }: { isEnd: boolean; isMarkdown: boolean }): string {
  if (/^h\d$/.test(name)) return isEnd || !isMarkdown ? '\n\n' : '\n\n## ';
  if (name === 'li') return isEnd ? '' : '\n- ';
  return BREAKS.get(name) ?? (isMarkdown ? (MARKS.get(name) ?? '') : '');
}

function formatLink(label: string, url: string, isMarkdown: boolean): string {
  if (label === '' || url.endsWith(label)) return url;
  return isMarkdown ? `[${label}](${url})` : `${label} (${url})`;
}

function decodeEntities(text: string): string {
  return decodeHTMLStrict(text).replaceAll('\u00a0', ' ');
}

/** Lines without spaces at their ends, and at most one blank line between others. */
function tidy(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}
