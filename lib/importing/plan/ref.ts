import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { cutText } from '@/lib/core/storable-text';

/** Shorter than the limit of a ref, with space for the suffix of a duplicate. */
const MAX_SLUG = 120;

/**
 * A ref for a monitor that has only a name or URL as its identity: readable, and different for different texts. It does not
 * depend on the rest of the file, so that the next export leads to the same ref. `label` is the readable part, if `identity` can
 * contain more than may be shown.
 */
export function refOf(source: string, identity: string, label = identity): string {
  const slug = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  if (slug === identity) return `${source}-${slug}`;
  const digest = bytesToHex(sha256(utf8ToBytes(identity))).slice(0, 8);
  return [source, slug, digest].filter((part) => part !== '').join('-');
}

/** A ref has at most 200 characters. */
const MAX_BASE = 190;

/** Returns a ref that is not yet taken, and takes it: a second `shop` becomes `shop-2`. */
export function takeRef(ref: string, taken: Map<string, number>): string {
  let free = ref;
  for (let count = (taken.get(ref) ?? 0) + 1; taken.has(free); count++) {
    free = `${cutText(ref, MAX_BASE)}-${count}`;
    taken.set(ref, count);
  }
  taken.set(free, 1);
  return free;
}
