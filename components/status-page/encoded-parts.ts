import type { ReactElement } from 'react';
import type { mapInTurns } from '@/lib/core/map-in-turns';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Stands for a part in the text of a document; nobody can know it. */
const MARK = `<!--${crypto.randomUUID()}-->`;

/** Parts of the markup of a document in UTF-8, one after the other. */
export type Parts = readonly Uint8Array[];

/**
 * What documents are made with: writes an element as static markup, synchronously; hashes a part; and maps in turns, which is passed in because
 * this module must also load where there is no Node.
 */
type Tools = {
  write(element: ReactElement): string;
  digest(part: Uint8Array): Uint8Array;
  inTurns: typeof mapInTurns;
};

/** A document as bytes, and its outline: what its ETag is computed from, much shorter and as unique. */
export type EncodedDocument = { bytes: Uint8Array<ArrayBuffer>; outline: Uint8Array<ArrayBuffer> };

/** Parts, or what makes them once the markup around them is written. */
type Insertion = Parts | (() => Parts);

/** What the markup that is being written inserts, in order; null: no markup is being written. React renders static markup synchronously. */
let current: { insertions: Insertion[]; tools: Tools } | null = null;

/** Parts of the markup of a document that were encoded before, inserted as HTML one after the other. */
export function insertEncoded(parts: Parts): string {
  if (current === null) return decoder.decode(join(parts));
  current.insertions.push(parts);
  return MARK;
}

/**
 * Parts that are made later, of elements that `encode` turns into theirs, so that a document with thousands of rows delays nobody: others have
 * their turn between two of them. Null while no document is being rendered.
 */
export function insertLater(make: (encode: (element: ReactElement) => Parts) => Parts): string | null {
  if (current === null) return null;
  const { tools, insertions } = current;
  insertions.push(() => make((element) => encodeElement(element, tools)));
  return MARK;
}

/** The parts of an element, to insert them now and in later documents. */
function encodeElement(element: ReactElement, tools: Tools): Parts {
  const { texts, insertions } = collect(tools, () => tools.write(element));
  return texts.flatMap((text, index) => [
    ...(text === '' ? [] : [encoder.encode(text)]),
    ...partsOf(insertions[index]),
  ]);
}

function partsOf(insertion: Insertion = []): Parts {
  return typeof insertion === 'function' ? insertion() : insertion;
}

/**
 * Renders a document as bytes. `render` returns its markup; the parts that it inserts are copied, because to write,
 * encode and hash thousands of bars again would cost more than the rest of the document. What is inserted later is made in turns.
 */
export async function encodeDocument(tools: Tools, render: () => string): Promise<EncodedDocument> {
  const { texts, insertions } = collect(tools, render);
  const pieces: Uint8Array[] = [];
  const outline: Uint8Array[] = [];
  await tools.inTurns(texts, (text, index) => {
    const own = encoder.encode(text);
    const inserted = partsOf(insertions[index]);
    pieces.push(own, ...inserted);
    outline.push(own, ...inserted.map((part) => digestOf(part, tools)));
  });
  return { bytes: join(pieces), outline: join(outline) };
}

/** The text between what is inserted meanwhile, and what is. */
function collect(tools: Tools, work: () => string): { texts: string[]; insertions: Insertion[] } {
  const outer = current;
  const insertions: Insertion[] = [];
  current = { insertions, tools };
  try {
    return { texts: work().split(MARK), insertions };
  } finally {
    current = outer;
  }
}

/** Parts are inserted many times, and never change. */
const digests = new WeakMap<Uint8Array, Uint8Array>();

function digestOf(part: Uint8Array, { digest }: Tools): Uint8Array {
  const known = digests.get(part) ?? digest(part);
  digests.set(part, known);
  return known;
}

function join(pieces: Parts): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((bytes, { length }) => bytes + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
