import { type Clock, systemClock } from '@/lib/core/clock';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { listen } from '@/lib/platform/db/listen';
import type { LiveHub } from '@/lib/platform/live/hub';
import { parsePageChange } from './application';
import { createPageCache, type PageCache } from './page-cache';
import type { HostedPage } from './resolve-host';

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
 * Keeps cache and domains up to date with what the processes on the database at `url` tell each other; `readDomains` reads all
 * verified ones. What those who look at the dashboard are told goes to `live`, over the same connection.
 */
export async function startPageService({
  url,
  readDomains,
  live,
  cacheMegabytes,
  log,
}: {
  url: string;
  readDomains: () => Promise<Domain[]>;
  live: LiveHub;
  cacheMegabytes: number;
  log: Logger;
}): Promise<PageService> {
  const clock = systemClock;
  const cache = createPageCache({ clock, maxBytes: cacheMegabytes * 1024 * 1024 });
  const domains = createDomainList(readDomains, (error) =>
    log.warn({ error: describeError(error) }, 'the domains of status pages could not be read'),
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

/** A verified domain and the page it shows. */
export type Domain = HostedPage & { domain: string };

/**
 * All verified domains, in memory: a request is routed without asking anybody, so that neither made-up hosts nor a
 * database that is away cost more than a look into a map.
 */
export type DomainList = {
  /** The page of a host as it was known when the list was last read. */
  find(host: string): HostedPage | null;
  /** Reads the list again. Resolves when what was true at the call is known; keeps the old list where reading fails. */
  refresh(): Promise<void>;
};

/** An empty list that `refresh` fills from `read`. Calls during a reading share the next one. */
export function createDomainList(
  read: () => Promise<Domain[]>,
  onError: (error: unknown) => void,
): DomainList {
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
    find: (host) => pages.get(host) ?? null,
    refresh: () => {
      // What is being read may have been asked for before the change.
      if (next === null) {
        next = running.then(readAll);
        running = next;
      }
      return next;
    },
  };
}
