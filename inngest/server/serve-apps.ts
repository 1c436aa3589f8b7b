import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { isLocalVisit } from '@/lib/web/http/address/request-address';
import { type App, HOME_APP } from '../apps';
import type { WorkerServer } from '../worker-server';
import type { InngestLink, LinkOptions } from './create-client';
import { type AppEndpoint, createAppEndpoint, createServerClient, pathOf } from './create-client';

/** Requests are small: a few events and step results. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Headers of the connection, not of the request; `Request` rejects some of them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/** How long the starter of the worker has to sync it. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 30_000;

type ServeOptions = LinkOptions & {
  /** INNGEST_SERVE_ORIGIN. */
  serveOrigin: string | undefined;
  /** The address to use if Inngest has not synced any. */
  likelyOrigin: string;
  workerServer: WorkerServer;
};

/** Serves the apps over HTTP for Inngest to call. */
export function serveApps(options: ServeOptions): InngestLink {
  const { apps, server, serveOrigin, likelyOrigin, onRun, hasSuccessor, workerServer, log } = options;
  const served = apps.map((app) => {
    const client = createServerClient(app.id, { server, log, onRun });
    const path = pathOf(app.id, HOME_APP);
    const functions = app.build(client, hasSuccessor);
    const endpoint = createAppEndpoint({ client, functions, path, serveOrigin });
    return { app, client, endpoint };
  });
  const registrar = createRegistrar({ serveOrigin, likelyOrigin, log });
  const sendStarted = async (app: App) => {
    const found = served.find((one) => one.app.id === app.id);
    await found?.client.send(app.started.create({}));
  };
  const register = (app: App, endpoint: AppEndpoint) =>
    registrar.register(app.id, endpoint).then(async (isNew) => {
      if (isNew) await sendStarted(app);
    });
  const quietly = (work: Promise<void>, app: App) =>
    void work.catch((error: unknown) =>
      log.warn({ app: app.id, error: describeError(error) }, 'could not reach Inngest'),
    );
  const onSync = (origin: string) => {
    if (!registrar.learn(origin)) return;
    for (const { app, endpoint } of served) quietly(register(app, endpoint), app);
  };
  workerServer.mount(
    createListener(
      served.map(({ endpoint }) => endpoint),
      { localOnly: server.isDev, onSync, log },
    ),
  );
  for (const { app, endpoint } of served) {
    quietly(serveOrigin === undefined ? sendStarted(app) : register(app, endpoint), app);
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
 * Registers the apps of a worker with the Inngest server, also after the server lost its data: at
 * `serveOrigin` if set, else where the server synced an app, or at `likelyOrigin`. `now` is monotonic, in
 * milliseconds.
 */
export function createRegistrar(
  { serveOrigin, likelyOrigin, log }: Pick<ServeOptions, 'serveOrigin' | 'likelyOrigin' | 'log'>,
  now: () => number = () => performance.now(),
) {
  const attemptedAt = new Map<string, number>();
  let learned: string | undefined;
  return {
    /** Learns an address that the server has used; returns whether the apps should be registered there. */
    learn: (origin: string): boolean => {
      const isNew = serveOrigin === undefined && learned !== origin;
      learned = origin;
      return isNew;
    },
    /** Whether an app not woken for this long should be registered now. */
    isDue: (app: string, unwokenMs: number): boolean => {
      const last = attemptedAt.get(app);
      return last === undefined ? unwokenMs > PATIENCE_MS : now() - last > RETRY_MS;
    },
    /** Registers an app; resolves to whether that succeeded. Never rejects. */
    register: async (app: string, endpoint: Pick<AppEndpoint, 'register'>): Promise<boolean> => {
      attemptedAt.set(app, now());
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
 * Serves the endpoints on the worker's server. With `localOnly`, only this machine may call: for a
 * development server, whose calls are not signed. `onSync` is called with the address under which the server
 * has just synced an app.
 */
export function createListener(
  endpoints: AppEndpoint[],
  { localOnly, onSync, log }: { localOnly: boolean; onSync: (origin: string) => void; log: Logger },
): RequestListener {
  const respondEndpoint = async (
    endpoint: AppEndpoint,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) => {
    const body = await readBody(incoming);
    if (body === null) return respondJson(response, 413, 'The body is too large.');
    const request = toRequest(incoming, body);
    const result = await endpoint.respond(request);
    const text = await result.text();
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(text);
    if (incoming.method === 'PUT' && result.ok) onSync(new URL(request.url).origin);
  };

  return (incoming, response) => {
    const path = incoming.url?.split('?')[0];
    const endpoint = endpoints.find((one) => one.path === path);
    if (!endpoint) return respondJson(response, 404, 'Nothing found at this path.');
    if (localOnly && !isLocal(incoming)) {
      return respondJson(
        response,
        403,
        'Unsigned calls are only accepted from this machine. Set INNGEST_SIGNING_KEY to accept signed calls.',
      );
    }
    respondEndpoint(endpoint, incoming, response).catch((error: unknown) => {
      log.error({ error: describeError(error), path }, 'could not handle a call from Inngest');
      if (response.headersSent) response.destroy();
      else respondJson(response, 500, 'The call could not be handled. See the worker log.');
    });
  };
}

function isLocal({ headers, socket }: IncomingMessage): boolean {
  const names = Object.keys(headers);
  const visit = { peer: socket.remoteAddress ?? null, host: headers.host ?? null, names };
  return isLocalVisit(visit);
}

/** The body as text; null if it is too large. */
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

function respondJson(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
