import { createServer } from 'node:http';
import type { Inngest } from 'inngest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { listenLocally } from '@/lib/testing/http-listener';
import { waitFor } from '@/lib/testing/wait-for';
import { startTestInngest, type TestInngest } from '../testing/inngest-server';
import { canonicalJson, KEYS, sign } from '../testing/sign';
import { createAppEndpoint, createServerClient } from './create-client';
import { createListener } from './serve-apps';

const log = createLogger('silent', 'test');
const FALLBACK = `signkey-test-${'cd'.repeat(32)}`;
let inngest: TestInngest;

beforeAll(async () => {
  inngest = await startTestInngest();
});
afterAll(() => inngest.close());

type Step = { ran: string[] };

/** An app whose function records what runs, served as by a worker. */
async function serve(
  { ran }: Step,
  {
    app = 'probe-test',
    isDev = false,
    between = '1s',
  }: { app?: string; isDev?: boolean; between?: string } = {},
) {
  const server = {
    isDev,
    baseUrl: inngest.url,
    eventKey: KEYS.INNGEST_EVENT_KEY,
    signingKey: KEYS.INNGEST_SIGNING_KEY,
    signingKeyFallback: FALLBACK,
  };
  const client: Inngest = createServerClient(app, { server, log, onRun: () => undefined });
  const steps = client.createFunction(
    { id: 'steps', retries: 0, triggers: { event: `${app}/go` } },
    async ({ step }) => {
      await step.run('first', () => void ran.push('first'));
      await step.sendEvent('notify', { name: `${app}/notified`, data: {}, id: `notified ${app}` });
      await step.sleep('rest', between);
      await step.run('second', () => void ran.push('second'));
    },
  );
  const notified = client.createFunction(
    { id: 'notified', retries: 0, triggers: { event: `${app}/notified` } },
    () => {
      ran.push('notified');
    },
  );
  const path = `/api/inngest/${app}`;
  const endpoint = createAppEndpoint({ client, functions: [steps, notified], path, serveOrigin: undefined });
  const synced: string[] = [];
  const onSync = (origin: string) => void synced.push(origin);
  const listener = await listenLocally(
    createServer(createListener([endpoint], { localOnly: isDev, onSync, log })),
  );
  onTestFinished(() => listener.close().catch(() => undefined));
  return { ...listener, endpoint, address: `${listener.url}${path}`, client, synced };
}

/** One call, signed like the server's unless headers are given. */
async function call(
  address: string,
  steps: Record<string, unknown>,
  { headers, at, key = KEYS.INNGEST_SIGNING_KEY }: { headers?: object; at?: Date; key?: string } = {},
) {
  const event = { id: 'e', name: 'probe-test/go', data: {}, ts: 1 };
  const stack = Object.keys(steps);
  const ctx = {
    fn_id: 'f',
    run_id: 'run',
    attempt: 0,
    max_attempts: 1,
    disable_immediate_execution: false,
    use_api: false,
    stack: { stack, current: stack.length },
  };
  const body = canonicalJson({ version: 2, event, events: [event], steps, ctx });
  const signed = { 'x-inngest-signature': sign(body, key, at), 'x-inngest-server-kind': 'cloud' };
  const response = await fetch(`${address}?fnId=probe-test-steps&stepId=step`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(headers ?? signed) },
  });
  return { status: response.status, body: await response.json() };
}

describe('an app served to Inngest', () => {
  it('registers its functions on a signed request, under the requested address', async () => {
    const { address, url, synced } = await serve({ ran: [] });
    expect(await inngest.sync(address)).toBe(200);
    const app = inngest.apps.get('probe-test');
    expect(app?.url).toBe(address);
    expect(app?.functions.map(({ id, triggers, steps }) => [id, triggers, steps.step.retries])).toEqual([
      ['probe-test-steps', [{ event: 'probe-test/go' }], { attempts: 0 }],
      ['probe-test-notified', [{ event: 'probe-test/notified' }], { attempts: 0 }],
    ]);
    expect(synced).toEqual([url]);
  });

  it('rejects unsigned requests, and neither runs nor registers anything for them', async () => {
    const story = { ran: [] };
    const { address, synced } = await serve(story, { app: 'refusing' });
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    const refused = [
      await call(address, {}, { headers: {} }),
      await call(address, {}, { key: `signkey-test-${'00'.repeat(32)}` }),
      await call(address, {}, { at: tenMinutesAgo }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await inngest.sync(address, {})).toBe(401);
    expect((await fetch(address)).status).toBe(401);
    expect(story.ran).toEqual([]);
    expect(inngest.apps.has('refusing')).toBe(false);
    expect(synced).toEqual([]);
  });

  it('also accepts the old key while a new one is rolled out', async () => {
    const { address } = await serve({ ran: [] });
    expect((await call(address, {}, { key: FALLBACK })).status).toBe(206);
  });

  it('rejects an oversized body', async () => {
    const { address } = await serve({ ran: [] });
    const response = await fetch(address, { method: 'POST', body: 'x'.repeat(5 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });

  it('responds with one step at a time, and to a repeated step with the same operation', async () => {
    const story: Step = { ran: [] };
    const { address } = await serve(story);
    const first = await call(address, {});
    expect(first).toMatchObject({ status: 206, body: [{ op: 'StepRun', displayName: 'first' }] });
    const repeated = await call(address, {});
    expect(repeated.body[0].id).toBe(first.body[0].id);
    expect(story.ran).toEqual(['first', 'first']);

    const memory = { [first.body[0].id]: { type: 'data', data: null } };
    const notified = await call(address, memory);
    expect(notified).toMatchObject({ status: 206, body: [{ op: 'StepRun', displayName: 'notify' }] });
    const slept = await call(address, { ...memory, [notified.body[0].id]: { type: 'data', data: null } });
    expect(slept).toMatchObject({
      status: 206,
      body: [{ op: 'Sleep', name: expect.stringMatching(/^1s$|^\d{4}-/) }],
    });
    expect(story.ran, 'no code between steps runs again').toEqual(['first', 'first']);
  });

  it('continues after a sleep, and after being killed between two steps, without repeating a step', async () => {
    const story: Step = { ran: [] };
    const before = await serve(story, { app: 'killed', between: '2s' });
    await inngest.sync(before.address);
    await before.client.send({ name: 'killed/go', data: {} });
    const run = () => inngest.runs.find(({ functionId }) => functionId === 'killed-steps');
    await expect.poll(() => run()?.responses).toBe(3);
    await before.close();

    const after = await serve(story, { app: 'killed' });
    for (const { steps } of inngest.apps.get('killed')?.functions ?? []) {
      const { runtime } = steps.step;
      runtime.url = runtime.url.replace(before.url, after.url);
    }
    await waitFor(() => expect(story.ran).toContain('second'));
    expect(story.ran.toSorted()).toEqual(['first', 'notified', 'second']);
    await expect.poll(() => run()?.end).toBe('completed');
  });

  it('treats an event sent twice as one', async () => {
    const story: Step = { ran: [] };
    const { address, client } = await serve(story, { app: 'twice' });
    await inngest.sync(address);
    for (const _ of [1, 2]) await client.send({ name: 'twice/notified', data: {}, id: 'once' });
    await waitFor(() => expect(story.ran).toEqual(['notified']));
    expect(inngest.runs.filter(({ functionId }) => functionId === 'twice-notified')).toHaveLength(1);
  });

  it('only responds to this machine without signatures, for a development server', async () => {
    const { address } = await serve({ ran: [] }, { isDev: true });
    expect((await call(address, {}, { headers: { 'x-inngest-server-kind': 'dev' } })).status).toBe(206);
    const proxied = { 'x-inngest-server-kind': 'dev', 'x-forwarded-for': '203.0.113.7' };
    expect((await call(address, {}, { headers: proxied })).status).toBe(403);
  });
});
