import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { AppEndpoint } from './app-endpoint';

/** Who starts a worker may be about to sync it: so long is waited. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 30_000;

/** Makes the apps of a worker known to the Inngest server, and again after the server has lost its memory. */
export type Registrar = {
  /** Takes an address that the server itself has used; answers whether the apps are to be registered there. */
  learn(origin: string): boolean;
  /** Whether an app that has not been woken for so long should be registered now. */
  isDue(app: string, unwokenMs: number): boolean;
  /** Registers an app; answers whether that went well. Never rejects. */
  register(app: string, endpoint: Pick<AppEndpoint, 'register'>): Promise<boolean>;
};

/**
 * `serveOrigin`, where it is set, is the only address that is told; else it is the one under which the server has synced an
 * app, or `likelyOrigin`. `now` is in milliseconds and never goes back.
 */
export function createRegistrar({
  serveOrigin,
  likelyOrigin,
  log,
  now = () => performance.now(),
}: {
  serveOrigin: string | undefined;
  likelyOrigin: string;
  log: Logger;
  now?: () => number;
}): Registrar {
  const triedAt = new Map<string, number>();
  let learned: string | undefined;
  return {
    learn: (origin) => {
      const isNew = serveOrigin === undefined && learned !== origin;
      learned = origin;
      return isNew;
    },
    isDue: (app, unwokenMs) => {
      const last = triedAt.get(app);
      return last === undefined ? unwokenMs > PATIENCE_MS : now() - last > RETRY_MS;
    },
    register: async (app, endpoint) => {
      triedAt.set(app, now());
      const origin = serveOrigin ?? learned ?? likelyOrigin;
      try {
        await endpoint.register(origin);
        log.info({ app, origin }, 'registered with Inngest');
        return true;
      } catch (error) {
        log.warn({ app, origin, error: describeError(error) }, 'could not register with Inngest');
        return false;
      }
    },
  };
}
