import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { isLocalVisit } from '@/lib/web/http/request-address';
import { type App, HOME_APP } from '../apps';
import type { InngestServer } from '../inngest-server';
import type { HasSuccessor } from '../watched-drain';
import type { WorkerServer } from '../worker-server';
import type { Link } from './create-client';
import { type AppEndpoint, createAppEndpoint, createServerClient, pathOf } from './create-client';

/** What runs send is small: a few events, and the results of a few steps. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Of the connection, not of the call; `Request` refuses some of them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** Who starts a worker may be about to sync it: so long is waited. */
const PATIENCE_MS = 10_000;

const RETRY_MS = 30_000;

/** Makes the apps of a worker known to the Inngest server, and again after the server has lost its memory. */
type Registrar = {
  /** Takes an address that the server itself has used; answers whether the apps are to be registered there. */
  learn(origin: string): boolean;
  /** Whether an app that has not been woken for so long should be registered now. */
  isDue(app: string, unwokenMs: number): boolean;
  /** Registers an app; answers whether that went well. Never rejects. */
  register(app: string, endpoint: Pick<AppEndpoint, 'register'>): Promise<boolean>;
};

export type ServeOptions = {
  apps: App[];
  server: InngestServer;
  /** INNGEST_SERVE_ORIGIN. */
  serveOrigin: string | undefined;
  /** The address to try where Inngest has not synced any. */
  likelyOrigin: string;
  onRun: (functionId: string) => void;
  relief: HasSuccessor;
  /** Where Inngest calls. */
  workerServer: WorkerServer;
  log: Logger;
};

/** Serves the apps over HTTP, where Inngest calls them. */
export function serveApps(options: ServeOptions): Link {
  const { apps, server, serveOrigin, likelyOrigin, onRun, relief, workerServer, log } = options;
  const served = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    const path = pathOf(app.id, HOME_APP);
    const endpoint = createAppEndpoint({ client, functions: app.build(client, relief), path, serveOrigin });
    return { app, client, endpoint };
  });
  const registrar = createRegistrar({ serveOrigin, likelyOrigin, log });
  const tellStarted = async (app: App) => {
    const found = served.find((one) => one.app.id === app.id);
    await found?.client.send(app.started.create({}));
  };
  const register = (app: App, endpoint: AppEndpoint) =>
    registrar.register(app.id, endpoint).then(async (isNew) => {
      if (isNew) await tellStarted(app);
    });
  const quietly = (work: Promise<void>, app: App) =>
    void work.catch((error: unknown) =>
      log.warn({ app: app.id, error: describeError(error) }, 'Inngest could not be reached'),
    );
  workerServer.mount(
    createListener({
      endpoints: served.map(({ endpoint }) => endpoint),
      localOnly: server.isDev,
      onSync: (origin) => {
        if (!registrar.learn(origin)) return;
        for (const { app, endpoint } of served) quietly(register(app, endpoint), app);
      },
      log,
    }),
  );
  for (const { app, endpoint } of served) {
    quietly(serveOrigin === undefined ? tellStarted(app) : register(app, endpoint), app);
  }
  return {
    onUnwoken: (app, unwokenMs) => {
      const found = served.find((one) => one.app.id === app.id);
      if (found && registrar.isDue(app.id, unwokenMs)) quietly(register(app, found.endpoint), app);
    },
    close: async () => {},
  };
}

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

/**
 * The endpoints on the worker's server, where Inngest calls them. With `localOnly` nobody but this
 * machine may call: for a development server, whose calls carry no signature. `onSync` hears under which address the server
 * has just synced an app.
 */
export function createListener({
  endpoints,
  localOnly,
  onSync,
  log,
}: {
  endpoints: AppEndpoint[];
  localOnly: boolean;
  onSync: (origin: string) => void;
  log: Logger;
}): RequestListener {
  const answerEndpoint = async (
    endpoint: AppEndpoint,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) => {
    const body = await readBody(incoming);
    if (body === null) return answerJson(response, 413, 'The body is too large.');
    const request = toRequest(incoming, body);
    const answer = await endpoint.answer(request);
    const text = await answer.text();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
    if (incoming.method === 'PUT' && answer.ok) onSync(new URL(request.url).origin);
  };

  return (incoming, response) => {
    const path = incoming.url?.split('?')[0];
    const endpoint = endpoints.find((one) => one.path === path);
    if (!endpoint) return answerJson(response, 404, 'There is nothing at this path.');
    if (localOnly && !isFromHere(incoming)) {
      return answerJson(
        response,
        403,
        'Without signatures only this machine may call. Set INNGEST_SIGNING_KEY.',
      );
    }
    answerEndpoint(endpoint, incoming, response).catch((error: unknown) => {
      log.error({ error: describeError(error), path }, 'a call of Inngest could not be answered');
      if (response.headersSent) response.destroy();
      else answerJson(response, 500, 'The call could not be answered.');
    });
  };
}

function isFromHere({ headers, socket }: IncomingMessage): boolean {
  const names = Object.keys(headers);
  const visit = { peer: socket.remoteAddress ?? null, host: headers.host ?? null, names };
  return isLocalVisit(visit);
}

/** The body as text; null where there is more than a call can have. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toRequest({ url = '/', method = 'GET', headers }: IncomingMessage, body: string): Request {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== '';
  const target = new URL(url, `${scheme}://${headers.host ?? 'localhost'}`);
  return new Request(target, { method, headers: pairs, ...(hasBody ? { body } : {}) });
}

function answerJson(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
