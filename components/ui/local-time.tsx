'use client';

import { formatLocal } from './format-local';
import { useTimeZone } from './page-clock';

/** A moment in the reader's time zone: `14:02` on the day of `now`, else `20 Nov, 14:02`. Both in ISO 8601. */
export function LocalTime({ at, now }: { at: string; now: string }) {
  const timeZone = useTimeZone();
  return <time dateTime={at}>{formatLocal(new Date(at), new Date(now), timeZone)}</time>;
}
