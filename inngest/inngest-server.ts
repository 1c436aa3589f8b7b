import type { Environment } from '@/lib/env';

/** The Inngest server that wakes the workers. */
export type InngestServer = {
  /** A development server: requests are not signed. */
  isDev: boolean;
  /** Undefined: Inngest Cloud. */
  baseUrl: string | undefined;
  eventKey: string | undefined;
  signingKey: string | undefined;
  signingKeyFallback: string | undefined;
};

type Settings = Pick<
  Environment,
  | 'INNGEST_DEV'
  | 'INNGEST_EVENT_KEY'
  | 'INNGEST_SIGNING_KEY'
  | 'INNGEST_SIGNING_KEY_FALLBACK'
  | 'INNGEST_BASE_URL'
>;

/** The configured Inngest server, a development server first; null: the embedded driver is used. */
export function readInngestServer(settings: Settings): InngestServer | null {
  const { INNGEST_DEV: dev, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = settings;
  if (dev === null && (eventKey === undefined || signingKey === undefined)) return null;
  return {
    isDev: dev !== null,
    baseUrl: settings.INNGEST_BASE_URL ?? dev ?? undefined,
    eventKey,
    signingKey,
    signingKeyFallback: settings.INNGEST_SIGNING_KEY_FALLBACK,
  };
}
