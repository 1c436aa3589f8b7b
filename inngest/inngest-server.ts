import type { Environment } from '@/lib/env';

/** The Inngest server that wakes the workers. */
export type InngestServer = NonNullable<ReturnType<typeof readInngestServer>>;

/** The configured Inngest server, a development server first; null: the embedded driver is used. */
export function readInngestServer(settings: Environment) {
  const { INNGEST_DEV: dev, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = settings;
  if (dev === null && (eventKey === undefined || signingKey === undefined)) return null;
  return {
    /** A development server: requests are not signed. */
    isDev: dev !== null,
    /** Undefined: Inngest Cloud. */
    baseUrl: settings.INNGEST_BASE_URL ?? dev ?? undefined,
    eventKey,
    signingKey,
    signingKeyFallback: settings.INNGEST_SIGNING_KEY_FALLBACK,
  };
}
