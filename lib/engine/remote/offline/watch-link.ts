import type { Logger } from '@/lib/core/logger';
import type { Sample } from '@/lib/core/time/synced-clock';
import { type Exchange, ExchangeError } from '@/lib/engine/remote/exchange';

/** Without a response for this long, the service cannot be reached: it responds to a report within three seconds. */
const SILENT_MS = 8000;

/** The exchange of a probe, which knows whether the service can be reached. */
export type ServiceLink = ReturnType<typeof watchLink>;

/**
 * Watches the requests of an exchange. `local` is the time of this machine, as for `createSyncedClock`; `onSample` is called with the
 * time of each response. A service that refuses the probe can be reached.
 */
export function watchLink(
  { send }: Pick<Exchange, 'send'>,
  {
    local,
    offlineMs,
    onSample,
    log,
  }: { local: () => number; offlineMs: number; onSample: (sample: Sample) => void; log: Logger },
) {
  let respondedAt = local();
  let hasFailed = false;
  let said: 'continues' | 'has stopped' | null = null;

  const noteReached = () => {
    const seconds = Math.round((local() - respondedAt) / 1000);
    if (said !== null) log.warn({ seconds }, 'the service is reached again');
    said = null;
    hasFailed = false;
    respondedAt = local();
  };
  const isUnreachable = () => hasFailed || local() - respondedAt > SILENT_MS;
  const request: Exchange['request'] = async (name, input) => {
    const before = local();
    try {
      const { now, output } = await send(name, input);
      onSample({ before, after: local(), theirs: now });
      noteReached();
      return output;
    } catch (error) {
      if (error instanceof ExchangeError && error.refused !== null) noteReached();
      else hasFailed = true;
      throw error;
    }
  };

  return {
    request,
    isUnreachable,
    /** Whether checks continue without a lease: while the service cannot be reached, for `offlineMs`. Says so once. */
    continues: (): boolean => {
      if (!isUnreachable()) return false;
      const now = local() - respondedAt <= offlineMs ? 'continues' : 'has stopped';
      if (now !== said) {
        const minutes = Math.round(offlineMs / 60_000);
        if (now === 'continues')
          log.warn({ minutes }, 'the service cannot be reached: checking offline, and keeping the results');
        else log.error({ minutes }, 'the service could not be reached for too long: checks have stopped');
      }
      said = now;
      return now === 'continues';
    },
  };
}
