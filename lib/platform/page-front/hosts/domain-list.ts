import type { HostedPage } from './resolve-host';

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
