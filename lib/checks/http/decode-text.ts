/** Byte order marks, and what they say more reliably than any label. */
const MARKS: readonly (readonly [mark: string, encoding: string])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xfe\xff', 'utf-16be'],
  ['\xff\xfe', 'utf-16le'],
];
const UTF8_MARK_BYTES = 3;
/** How much of a document is searched for its charset, as in browsers. */
const MAX_SNIFFED = 1024;
const MARKUP = /html|xml/i;
const COMMENT = /<!--.*?(?:-->|$)/gs;
const META = /<meta[\s/]((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const ATTRIBUTE = /([^\s/>"'=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const XML = /^<\?xml\s[^>]*\bencoding\s*=\s*["']([^"'>]+)/i;
const CHARSET = /charset\s*=\s*["']?([^\s;"']+)/i;
/** What 0x80 to 0x9f are in Windows-1252. Node.js 20 takes them for control characters, as in ISO 8859-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The text of a body as browsers read it: in the encoding that its byte order mark, its `Content-Type` or its own markup names, in this order, or
 * else UTF-8; without the mark. If it `isCut`, a last character that is not complete is left out.
 */
export function decodeText(bytes: Buffer, type: string | undefined, { isCut = false } = {}): string {
  const start = bytes.toString('latin1', 0, MAX_SNIFFED);
  const marked = MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? null;
  const encoding = marked ?? encodingOf(CHARSET.exec(type ?? '')?.[1]) ?? sniff(start, type) ?? 'utf-8';
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  if (encoding === 'utf-8' && !isCut) return bytes.toString('utf8', marked === null ? 0 : UTF8_MARK_BYTES);
  return new TextDecoder(encoding).decode(bytes, { stream: isCut });
}

/** The encoding that a label names on the web; null if none does. */
function encodingOf(label: string | undefined): string | null {
  if (label === undefined) return null;
  // By far the most frequent one.
  if (/^utf-?8$/i.test(label)) return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The encoding that markup declares: in `<meta>`, or at the start of XML. */
function sniff(start: string, type: string | undefined): string | null {
  if (type !== undefined && !MARKUP.test(type)) return null;
  for (const [, attributes = ''] of start.replace(COMMENT, ' ').matchAll(META)) {
    const found = encodingOf(declaredCharset(attributes));
    if (found !== null) return readable(found);
  }
  const found = encodingOf(XML.exec(start)?.[1]);
  return found && readable(found);
}

/** What could be read so far as ASCII cannot be UTF-16. */
const readable = (encoding: string) => (encoding.startsWith('utf-16') ? 'utf-8' : encoding);

function declaredCharset(text: string): string | undefined {
  const attributes = new Map<string, string>();
  for (const [, name = '', quoted, single, bare = ''] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, quoted ?? single ?? bare);
  }
  const isType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
  return (
    attributes.get('charset') ?? (isType ? CHARSET.exec(attributes.get('content') ?? '')?.[1] : undefined)
  );
}

/** Without a function call for each character: a body has up to a million. */
function decodeWindows1252(bytes: Buffer): string {
  const units = Buffer.from(bytes.toString('latin1'), 'utf16le');
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 && byte <= 0x9f) units.writeUInt16LE(WINDOWS_1252.charCodeAt(byte - 0x80), 2 * at);
  }
  return units.toString('utf16le');
}
