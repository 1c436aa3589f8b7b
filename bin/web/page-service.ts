import { type Clock, systemClock } from '@/lib/core/clock';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { readDomains } from '@/lib/domain/status-pages/verify-custom-domain';
import type { Database } from '@/lib/platform/db/client';
import { listen } from '@/lib/platform/db/listen';
import type { LiveHub } from '@/lib/platform/live/hub';
import { createDomainList, type DomainList } from '@/lib/platform/page-front/hosts/domain-list';
import { createPageCache, type PageCache } from '@/lib/platform/page-front/page-cache';
import { parsePageChange } from '@/lib/platform/page-front/page-change';

/** What a web process knows of status pages without asking: kept answers and verified domains, both up to date. */
export type PageService = {
  cache: PageCache;
  domains: DomainList;
  clock: Clock;
  /** Resolves when everything that was committed before the call is taken over. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/** A connection that died without a word is found out within this and the patience of `listen`. */
const HEARTBEAT_MS = 2000;
/** Should a change of domains ever go unnoticed, it is known after this. */
const DOMAINS_MS = 60_000;

/**
 * Keeps cache and domains up to date with what the processes on the database at `url` tell each other. What those who look at
 * the dashboard are told goes to `live`, over the same connection.
 */
export async function startPageService({
  url,
  db,
  live,
  cacheMegabytes,
  log,
}: {
  url: string;
  db: Database;
  live: LiveHub;
  cacheMegabytes: number;
  log: Logger;
}): Promise<PageService> {
  const clock = systemClock;
  const cache = createPageCache({ clock, maxBytes: cacheMegabytes * 1024 * 1024 });
  const domains = createDomainList(
    () => readDomains({ db }),
    (error) => log.warn({ error: describeError(error) }, 'the domains of status pages could not be read'),
  );
  let isHearing = false;
  let refreshed = domains.refresh();
  const refreshDomains = () => {
    refreshed = domains.refresh();
  };
  const listening = listen(url, ['pharos_domains', 'pharos_pages', 'pharos_live'], {
    heartbeatMs: HEARTBEAT_MS,
    log,
    onNotify: (channel, payload) => {
      if (channel === 'pharos_domains') return refreshDomains();
      if (channel === 'pharos_live') return payload === null ? live.resume() : live.hear(payload);
      if (payload !== null) return cache.apply(parsePageChange(payload));
      isHearing = true;
      cache.resume();
    },
    onLost: () => {
      isHearing = false;
      cache.suspend();
      live.suspend();
    },
  });
  const timer = setInterval(refreshDomains, DOMAINS_MS);
  timer.unref();
  await refreshed;
  return {
    cache,
    domains,
    clock,
    settle: async () => {
      await listening.catchUp();
      // Who hears nothing leaves at least what is being read now.
      if (!isHearing) cache.suspend();
      await refreshed;
    },
    stop: async () => {
      clearInterval(timer);
      await listening.stop();
    },
  };
}
