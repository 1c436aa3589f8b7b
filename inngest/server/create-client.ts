import { Inngest, type InngestFunction, type Logger as InngestLogger, Middleware } from 'inngest';
import { serve } from 'inngest/edge';
import type { Logger } from '@/lib/core/logger';
import type { App } from '../apps';
import type { InngestServer } from '../inngest-server';

/** Where an app is served; the SDK's own variable would give all apps one path. */
export const pathOf = (app: string, homeApp: string): string =>
  app === homeApp ? '/api/inngest' : `/api/inngest/${app}`;

/** An app as the Inngest server sees it. */
export type AppEndpoint = {
  path: string;
  /** Answers a request of the server. Unsigned ones are refused, but for a development server, which signs nothing. */
  answer(request: Request): Promise<Response>;
  /** Tells the server that the app is found at `origin`. Throws an Error with what the server had to say. */
  register(origin: string): Promise<void>;
};

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

/** Serves the functions of one app at `path`. `serveOrigin` is the address that the server is told; else the one it used. */
export function createAppEndpoint({
  client,
  functions,
  path,
  serveOrigin,
}: {
  client: Inngest;
  functions: InngestFunction.Any[];
  path: string;
  serveOrigin: string | undefined;
}): AppEndpoint {
  const served = { client, functions, servePath: path, serveOrigin };
  const answer = serve({ ...served, enableUnauthedSync: false });
  // Never reached from outside: what asks it to register is this process.
  const registering = serve({ ...served, enableUnauthedSync: true });
  return {
    path,
    answer,
    register: async (origin) => {
      const url = new URL(path, origin);
      const headers = { host: url.host, 'x-forwarded-proto': url.protocol.slice(0, -1) };
      const response = await registering(new Request(url, { method: 'PUT', headers }));
      if (response.ok) return;
      throw new Error(`Inngest responded with ${response.status}: ${await response.text()}`);
    },
  };
}

/** How Inngest reaches the apps of this worker. */
export type Link = {
  /** Inngest does not wake an app: makes itself known again, now and then. */
  onUnwoken(app: App, unwokenMs: number): void;
  close(): Promise<void>;
};
