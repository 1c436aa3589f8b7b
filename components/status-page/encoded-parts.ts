const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Stands for a part in the text of a document; nobody can know it. */
const MARK = `<!--${crypto.randomUUID()}-->`;

/** What the document that is being rendered inserts, in order; null: none is. React renders static markup synchronously. */
let insertions: (readonly Uint8Array[])[] | null = null;

/** Parts of the markup of a document that were encoded before, inserted as HTML one after the other. */
export function insertEncoded(parts: readonly Uint8Array[]): string {
  if (insertions === null) return decoder.decode(join(parts));
  insertions.push(parts);
  return MARK;
}

/**
 * Renders a document as bytes. `render` returns its markup; the parts that it inserts are copied, because to write and encode thousands of
 * bars again would cost more than the rest of the document.
 */
export function encodeDocument(render: () => string): Uint8Array<ArrayBuffer> {
  const inserted: (readonly Uint8Array[])[] = [];
  insertions = inserted;
  try {
    const texts = render().split(MARK);
    return join(texts.flatMap((text, index) => [encoder.encode(text), ...(inserted[index] ?? [])]));
  } finally {
    insertions = null;
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
