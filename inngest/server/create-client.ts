import { Inngest, type Logger as InngestLogger, Middleware } from 'inngest';
import type { Logger } from '@/lib/core/logger';
import type { InngestServer } from '../inngest-server';

/**
 * The client of one app for a real server. `onRun` hears of every run that the server begins on this worker, by app and
 * function. Checkpoints are
 * off: one step a reply, and nothing of a run is kept here.
 */
export function createServerClient(
  app: string,
  { server, log, onRun }: { server: InngestServer; log: Logger; onRun: (functionId: string) => void },
): Inngest {
  class HearsRuns extends Middleware.BaseMiddleware {
    readonly id = 'pharos:hears-runs';
    override onRunStart({ fn }: Middleware.OnRunStartArgs): void {
      onRun(`${app}/${fn.id()}`);
    }
  }
  const { isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = server;
  const logger = createSdkLogger(log, app);
  return new Inngest({
    id: app,
    isDev,
    baseUrl,
    eventKey,
    signingKey,
    signingKeyFallback,
    checkpointing: false,
    aiMetadata: false,
    middleware: [HearsRuns],
    logger,
    internalLogger: logger,
  });
}

/** Calls that are refused, which anybody can make, and registrations that fail, which the registrar tells itself. */
const EXPECTED = /Signature validation failed|Failed to register/;

/** What the SDK has to say, but for its chatter. */
function createSdkLogger(log: Logger, app: string): InngestLogger {
  const own = log.child({ app });
  const forward =
    (level: 'warn' | 'error') =>
    (...args: unknown[]): void => {
      const fields = typeof args[0] === 'object' && args[0] !== null ? args[0] : {};
      const words = args.filter((arg) => typeof arg === 'string').join(' ');
      own[EXPECTED.test(words) ? 'debug' : level](fields, `Inngest SDK: ${words}`);
    };
  return { debug: () => {}, info: () => {}, warn: forward('warn'), error: forward('error') };
}
