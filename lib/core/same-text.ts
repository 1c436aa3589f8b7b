import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time, without revealing where they differ or the length of the secret. */
export function isSameText(given: string, secret: string): boolean {
  const [left, right] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
