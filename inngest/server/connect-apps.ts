import { describeError, StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { App } from '../apps';
import type { Relief } from '../duty-drain';
import type { InngestServer } from '../inngest-server';
import { createServerClient } from './create-client';
import type { Link } from './link';

const NEEDED = { major: 22, minor: 4 };
const RETRY_MS = 10_000;

/** Refuses to connect on a Node.js that lacks what it takes. Throws StartupError that says what to do. */
export function requireConnectSupport(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return;
  throw new StartupError(
    `"pharos worker --connect" needs Node.js ${NEEDED.major}.${NEEDED.minor} or later, for its WebSocket; this is ${version}. Without --connect the worker listens for Inngest instead`,
  );
}

/**
 * Connects the apps to Inngest from the inside out: the worker needs no open port. A server that is away is tried again in
 * the background; the SDK itself keeps a connection that once stood.
 */
export function connectApps({
  apps,
  server,
  instanceId,
  onRun,
  relief,
  log,
}: {
  apps: App[];
  server: InngestServer;
  instanceId: string;
  onRun: (functionId: string) => void;
  relief: Relief;
  log: Logger;
}): Link {
  const connected = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    return { app, client, functions: app.build(client, relief) };
  });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let close = async (): Promise<void> => {};

  const open = async (): Promise<void> => {
    const { connect } = await import('inngest/connect');
    const connection = await connect({ apps: connected, instanceId, handleShutdownSignals: [] });
    close = () => connection.close();
    log.info({ apps: apps.map(({ id }) => id) }, 'connected to Inngest');
    for (const { app, client } of connected) await client.send(app.started.create({}));
  };
  const tryToOpen = (): void => {
    open().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'could not connect to Inngest; trying again');
      if (!stopped) timer = setTimeout(tryToOpen, RETRY_MS);
    });
  };
  tryToOpen();

  return {
    onUnwoken: () => {},
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      await close();
    },
  };
}
