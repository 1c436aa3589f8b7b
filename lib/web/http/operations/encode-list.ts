import { setImmediate } from 'node:timers/promises';

/** Larger lists are written, hashed and sent in parts of this many items. */
export const ITEMS_PER_PART = 500;

/**
 * A JSON array of the items in parts that are sent one after the other. Other requests are handled between two parts, so that a list of
 * thousands does not delay them.
 */
export async function encodeList<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
): Promise<Buffer<ArrayBuffer>[]> {
  const parts: Buffer<ArrayBuffer>[] = [];
  for (let from = 0; from === 0 || from < items.length; from += ITEMS_PER_PART) {
    if (from > 0) await setImmediate();
    const texts = items.slice(from, from + ITEMS_PER_PART).map((item) => `,${write(item)}`);
    const isLast = from + ITEMS_PER_PART >= items.length;
    if (from === 0) texts[0] = `[${texts[0]?.slice(1) ?? ''}`;
    if (isLast) texts.push(']');
    parts.push(encode(texts));
  }
  return parts;
}

/** Takes a third less than joining them first, which copies each text once more. */
function encode(texts: readonly string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let end = 0;
  for (const text of texts) end += bytes.write(text, end);
  return bytes;
}
