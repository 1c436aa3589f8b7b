import { findSizeProblem, readImage } from '@/lib/core/images/read-image';
import { toChosenImage } from '@/lib/schemas/status-pages/chosen-image';

/** Too many arguments of a call overflow the stack. */
const PIECE = 8192;

/** The value of a file that was chosen, checked as the service does it, or what is wrong with it. */
export async function chooseImage(file: Blob): Promise<{ value: string } | { problem: string }> {
  // Before it is read: a file can have gigabytes.
  const problem = findSizeProblem(file.size);
  if (problem !== null) return { problem };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = readImage(bytes);
  return 'problem' in read ? read : { value: toChosenImage(read.format, toBase64(bytes)) };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(text);
}
