'use client';

import { LIVE_KINDS, type LiveKind } from '@/lib/schemas/live';
import { StaleMark } from './live/stale-mark';
import { useLiveRefresh } from './live/use-live-refresh';

type Props = {
  refresh: () => Promise<void>;
  /** What the page shows; anything by default. */
  of?: readonly LiveKind[];
};

/**
 * Keeps the page as it is now while someone looks at it, and says when it cannot. `refresh` is a server action and not the
 * router's own refresh: that one leaves the page for the browser's error page when the service does not answer, this one stays.
 */
export function AutoRefresh({ refresh, of = LIVE_KINDS }: Props) {
  return <StaleMark since={useLiveRefresh(refresh, of)} />;
}
