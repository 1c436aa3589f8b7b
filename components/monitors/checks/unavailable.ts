import type { CheckResult } from '@/lib/schemas/result';

/** The regions whose worker cannot do checks of this kind at all, such as ping where nothing may send it, and why. */
export function findUnavailable(
  latest: readonly CheckResult[],
): { regions: string[]; reason: string } | null {
  const unable = latest.filter(
    ({ outcome, errorCode }) => outcome === 'unknown' && errorCode === 'unavailable',
  );
  const [first] = unable;
  if (!first) return null;
  return {
    regions: unable.flatMap(({ region }) => region ?? []),
    reason: first.errorMessage ?? 'checks of this kind are not possible there',
  };
}
