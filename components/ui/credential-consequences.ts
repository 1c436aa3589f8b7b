import { endOfOverlap, OVERLAP_HOURS } from '@/lib/schemas/token';

/** What a credential is called, and what rotating one means. `until`: what to do before the old one ends. */
export type RotationWords = { noun: string; rotate: string; until?: string };

/** What rotating a credential means, and how long the old one works then; both moments in ISO 8601. */
export function formatRotation(
  { noun, rotate, until = '' }: RotationWords,
  expiresAt: string | null,
  now: string,
): string {
  const at = new Date(now);
  const end = endOfOverlap(expiresAt === null ? null : new Date(expiresAt), OVERLAP_HOURS, at);
  const isWhole = end.getTime() - at.getTime() === OVERLAP_HOURS * 3_600_000;
  const overlap = isWhole
    ? `for ${OVERLAP_HOURS} hours`
    : `until it expires, which is in less than ${OVERLAP_HOURS} hours`;
  return `${rotate} The old ${noun} keeps working ${overlap}. ${until}`.trimEnd();
}
