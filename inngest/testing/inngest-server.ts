import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Clock, systemClock } from '@/lib/core/time/clock';
import { listenLocally } from '@/lib/testing/http-listener';
import {
  callBody,
  createTimerEvent,
  type DriverEvent,
  driveRun,
  parseSentEvents,
  readResult,
  type StepOperation,
} from '../embedded/testing/protocol';
import { canonicalJson, hashKey, KEYS, sign } from './sign';

const registration = z.object({
  appName: z.string(),
  url: z.string(),
  functions: z.array(
    z.object({
      id: z.string(),
      triggers: z.array(z.object({ event: z.string().optional(), cron: z.string().optional() })),
      steps: z.object({
        step: z.object({
          runtime: z.object({ url: z.string() }),
          retries: z.object({ attempts: z.number() }).optional(),
        }),
      }),
    }),
  ),
});

export type Registration = z.output<typeof registration>;
type Served = Registration['functions'][number];

/** A fake Inngest server over real HTTP: apps register, events start runs, and every call is signed. */
export type TestInngest = {
  url: string;
  /** The apps as last registered, by name. */
  apps: Map<string, Registration>;
  /** Every started run: its function, the calls that got a response, its end (null while in progress). */
  runs: { functionId: string; responses: number; end: string | null }[];
  /** Starts every function with a cron, as at the full minute. */
  tick(): void;
  /** Asks an endpoint to register, like a sync; resolves to the status. */
  sync(endpoint: string, headers?: Record<string, string>): Promise<number>;
  /** How it misbehaves: every event starts its functions `copies` times, `lateMs` after it was sent. */
  trouble: { lateMs: number; copies: number };
  /** Stops responding and drops all data, as after losing its disk. */
  wipe(): void;
  /** Responds again after `wipe`. */
  comeBack(): void;
  close(): Promise<void>;
};

/** Its clock, and how many milliseconds of that clock pass in one of real time. */
type Options = { clock?: Clock; factor?: number };

/** Starts the server on 127.0.0.1, with the keys of KEYS. */
export async function startTestInngest({
  clock = systemClock,
  factor = 1,
}: Options = {}): Promise<TestInngest> {
  const trouble = { lateMs: 0, copies: 1 };
  const wait = (ms: number) => delay(Math.max(0, ms / factor), undefined, { ref: false });
  /** Sleeps like a real server: `name` is a time or a number of seconds. */
  const sleepThrough = async (operation: StepOperation): Promise<StepOperation> => {
    if (operation.op !== 'Sleep') return operation;
    const [, seconds] = /^(\d+)s$/.exec(operation.name ?? '') ?? [];
    await wait(seconds ? Number(seconds) * 1000 : Date.parse(operation.name ?? '') - clock.now().getTime());
    return { ...operation, op: 'StepRun', data: null };
  };
  const apps = new Map<string, Registration>();
  const runs: TestInngest['runs'] = [];
  const seen = new Set<string>();
  let isDown = false;
  let closed = false;

  const launch = (served: Served, event: DriverEvent): void => {
    const run = { functionId: served.id, responses: 0, end: null as string | null };
    runs.push(run);
    const id = randomUUID();
    driveRun({ id, wireId: served.id, event }, async (call) => {
      if (closed) return null;
      const url = new URL(served.steps.step.runtime.url);
      url.searchParams.set('stepId', 'step');
      const body = canonicalJson(callBody(call));
      const headers = {
        'content-type': 'application/json',
        'x-inngest-server-kind': 'cloud',
        'x-inngest-signature': sign(body, KEYS.INNGEST_SIGNING_KEY, clock.now()),
      };
      const response = await fetch(url, { method: 'POST', headers, body });
      run.responses += 1;
      const result = await readResult(response);
      return result.kind === 'operations'
        ? { ...result, operations: await Promise.all(result.operations.map(sleepThrough)) }
        : result;
    }).then(
      (end) => {
        run.end = end.kind;
      },
      (error: unknown) => {
        run.end = `failed: ${String(error)}`;
      },
    );
  };
  const allServed = () => [...apps.values()].flatMap(({ functions }) => functions);
  const receive = (event: DriverEvent): void => {
    for (const served of allServed()) {
      const key = `${served.id} ${event.id}`;
      if (seen.has(key) || !served.triggers.some((trigger) => trigger.event === event.name)) continue;
      seen.add(key);
      const copies = () => {
        for (let copy = 0; copy < trouble.copies; copy++) launch(served, event);
      };
      if (trouble.lateMs === 0) copies();
      else void wait(trouble.lateMs).then(copies);
    }
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isDown) return void request.socket.destroy();
    const body = await text(request);
    const reply = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (request.url?.startsWith('/fn/register')) {
      const token = `Bearer ${hashKey(KEYS.INNGEST_SIGNING_KEY)}`;
      if (request.headers.authorization !== token) return void reply(401, { status: 401, error: 'no' });
      const app = registration.parse(JSON.parse(body));
      apps.set(app.appName, app);
      return void reply(200, { status: 200, ok: true, modified: true });
    }
    if (request.url !== `/e/${KEYS.INNGEST_EVENT_KEY}`) return void reply(401, { status: 401, error: 'no' });
    const events = parseSentEvents(body, clock.now().getTime());
    reply(200, { ids: events.map((event) => event.id), status: 200 });
    for (const event of events) receive(event);
  };
  const listener = await listenLocally(
    createServer((request, response) => {
      respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    }),
  );

  return {
    url: listener.url,
    apps,
    runs,
    trouble,
    tick: () => {
      for (const served of allServed()) {
        const cron = served.triggers.find((trigger) => trigger.cron !== undefined)?.cron;
        if (cron !== undefined) launch(served, createTimerEvent(cron, clock.now()));
      }
    },
    sync: async (endpoint, headers) => {
      const body = canonicalJson({ url: endpoint });
      const signature = sign(body, KEYS.INNGEST_SIGNING_KEY, clock.now());
      const signed = headers ?? { 'x-inngest-signature': signature, 'x-inngest-server-kind': 'cloud' };
      const response = await fetch(endpoint, { method: 'PUT', body, headers: signed });
      await response.text();
      return response.status;
    },
    wipe: () => {
      isDown = true;
      apps.clear();
      seen.clear();
    },
    comeBack: () => {
      isDown = false;
    },
    close: async () => {
      closed = true;
      await listener.close();
    },
  };
}
