import { Inngest, type InngestFunction, type Logger as InngestLogger, Middleware } from 'inngest';
import { serve } from 'inngest/edge';
import type { Logger } from '@/lib/core/logger';
import type { App } from '../apps';
import type { InngestServer } from '../inngest-server';
import { readSdkLog } from '../sdk-log';
import type { HasSuccessor } from '../watched-drain';

/** The path of an app; the SDK's own variable would give all apps the same path. */
export const pathOf = (app: string, homeApp: string): string =>
  app === homeApp ? '/api/inngest' : `/api/inngest/${app}`;

/**
 * Creates the client of one app for a real server. `onRun` is called for every run that the server starts on
 * this worker, as `app/function`. Checkpoints are off: one step per response, and no run state is kept here.
 */
export function createServerClient(
  app: string,
  { server, log, onRun }: Pick<LinkOptions, 'server' | 'log' | 'onRun'>,
): Inngest {
  class RunObserver extends Middleware.BaseMiddleware {
    readonly id = 'pharos:run-observer';
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
    middleware: [RunObserver],
    logger,
    internalLogger: logger,
  });
}

/** Rejected calls, which anybody can make, and failed registrations, which the registrar logs itself. */
const EXPECTED = /Signature validation failed|Failed to register/;

function createSdkLogger(log: Logger, app: string): InngestLogger {
  const own = log.child({ app });
  const forward = (level: 'warn' | 'error') => {
    return (...args: unknown[]): void => {
      const [fields, message] = readSdkLog(args);
      own[EXPECTED.test(message) ? 'debug' : level](fields, message);
    };
  };
  return { debug: () => {}, info: () => {}, warn: forward('warn'), error: forward('error') };
}

export type AppEndpoint = ReturnType<typeof createAppEndpoint>;

/** Serves the functions of one app. `serveOrigin`: the address to report, by default the one requested. */
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
}) {
  const served = { client, functions, servePath: path, serveOrigin };
  const respond = serve({ ...served, enableUnauthedSync: false });
  // Not exposed: only this process uses it to register.
  const registering = serve({ ...served, enableUnauthedSync: true });
  return {
    path,
    /** Handles a request of the server. Rejects unsigned ones, except from a development server. */
    respond,
    /** Registers the app at `origin`. Throws an Error with the server's response. */
    register: async (origin: string): Promise<void> => {
      const url = new URL(path, origin);
      const headers = { host: url.host, 'x-forwarded-proto': url.protocol.slice(0, -1) };
      const response = await registering(new Request(url, { method: 'PUT', headers }));
      if (response.ok) return;
      throw new Error(`Inngest responded with ${response.status}: ${await response.text()}`);
    },
  };
}

export type LinkOptions = {
  apps: App[];
  server: InngestServer;
  /** Called for every run that the server starts on this worker, as `app/function`. */
  onRun: (functionId: string) => void;
  hasSuccessor: HasSuccessor;
  log: Logger;
};

/** The connection between Inngest and the apps of this worker. */
export type InngestLink = {
  /** Called while Inngest does not wake an app: registers again from time to time. */
  onUnwoken(app: App, unwokenMs: number): void;
  close(): Promise<void>;
};
