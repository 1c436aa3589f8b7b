import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import type { Wake } from '@/lib/core/time/wake';
import { type Channel, listen } from '@/lib/platform/db/listen';
import type { LiveHub } from '@/lib/platform/live/hub';
import { parsePageChange } from './application';
import type { HostedPage } from './hosts/resolve-host';
import { PageCache } from './page-cache';
import { createHeldPages } from './private/held-pages';

/** A silently dropped connection is detected within this time plus the timeout of `listen`. */
const HEARTBEAT_MS = 2000;
/** A missed change of domains is applied after this. */
const DOMAINS_MS = 60_000;
/** For private pages, as they were last shown; only for outages of the database. */
const HELD_MEGABYTES = 16;

const CHANNELS: Channel[] = [
  'pharos_domains',
  // Before the pages, which depend on it.
  'pharos_mail_server',
  'pharos_pages',
  'pharos_live',
  'pharos_results',
];

type Options = {
  url: string;
  readDomains: () => Promise<Domain[]>;
  live: LiveHub;
  /** Rung when there may be results of requested checks. */
  requestedResults: Wake;
  /** Called after a change of the mail server. */
  onMailServer: () => void;
  cacheMegabytes: number;
  log: Logger;
};

/**
 * Keeps the status page data of a web process, cached responses and verified domains, up to date through notifications of
 * the database at `url`; `readDomains` reads all verified ones. Hints for dashboard viewers go to `live`, and those of
 * requested results to `requestedResults`, over the same connection.
 */
export async function startPageService({
  url,
  readDomains,
  live,
  requestedResults,
  onMailServer,
  cacheMegabytes,
  log,
}: Options) {
  const clock = systemClock;
  const cache = new PageCache({ clock, maxBytes: cacheMegabytes * 1024 * 1024 });
  const held = createHeldPages({ clock, maxBytes: HELD_MEGABYTES * 1024 * 1024 });
  const domains = createDomainList(readDomains, (error) =>
    log.warn({ error: describeError(error) }, 'could not read the domains of status pages'),
  );
  let isReceiving = false;
  let refreshed = domains.refresh();
  const refreshDomains = () => {
    refreshed = domains.refresh();
  };
  const listening = listen(url, CHANNELS, {
    heartbeatMs: HEARTBEAT_MS,
    log,
    onNotify: (channel, payload) => {
      if (channel === 'pharos_domains') return refreshDomains();
      if (channel === 'pharos_mail_server') return onMailServer();
      if (channel === 'pharos_results') return requestedResults.ring();
      if (channel === 'pharos_live') return payload === null ? live.resume() : live.hear(payload);
      if (payload !== null) {
        const change = parsePageChange(payload);
        cache.apply(change);
        return held.apply(change);
      }
      isReceiving = true;
      cache.resume();
      held.clear();
    },
    onLost: () => {
      isReceiving = false;
      cache.suspend();
      live.suspend();
    },
  });
  const timer = setInterval(refreshDomains, DOMAINS_MS);
  timer.unref();
  await refreshed;
  return {
    cache,
    held,
    domains,
    clock,
    /** Resolves when everything committed before the call has been applied. */
    settle: async () => {
      await listening.catchUp();
      // Without notifications, at least drop the current reads.
      if (!isReceiving) cache.suspend();
      await refreshed;
    },
    stop: async () => {
      clearInterval(timer);
      await listening.stop();
    },
  };
}

/** A verified domain and the page it shows. */
export type Domain = HostedPage & { domain: string };

/**
 * All verified domains, in memory: routing a request costs one map lookup, even while the database is unavailable. Initially
 * empty.
 */
export function createDomainList(read: () => Promise<Domain[]>, onError: (error: unknown) => void) {
  let pages = new Map<string, HostedPage>();
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const readAll = async () => {
    next = null;
    try {
      pages = new Map((await read()).map(({ domain, id, slug }) => [domain, { id, slug }]));
    } catch (error) {
      onError(error);
    }
  };
  return {
    /** The page of a host, as of the last read. */
    find: (host: string): HostedPage | null => pages.get(host) ?? null,
    /** Reads the list. Resolves when everything true at the call is known; keeps the old list if reading fails. */
    refresh: (): Promise<void> => {
      // The current read may have started before the change; calls during it share the next one.
      if (next === null) {
        next = running.then(readAll);
        running = next;
      }
      return next;
    },
  };
}
