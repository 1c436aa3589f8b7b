import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long the secret one is. */
export function isSameText(given: string, secret: string): boolean {
  const [left, right] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
