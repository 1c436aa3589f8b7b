import type { SeenBody } from '@/lib/checks/evidence';
import { hashToken, openToken } from '@/lib/domain/monitors/heartbeats/heartbeat-token';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginStory } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import type { HeartbeatCall } from '../judge-calls';
import { missDeadlines } from '../miss-deadlines';
import { recordReception } from '../reception';
import { type ReceivedCall, recordCalls } from '../record-calls';

/** A heartbeat of a new organization, with a web process that receives its calls and a worker that watches its deadlines. */
export async function beginCalls(db: Database, fields: object) {
  // Each story begins at the same moment, and only its own deadlines are watched.
  await db.heartbeat.updateMany({ data: { deadlineAt: null } });
  await db.receptionGap.deleteMany();
  await db.reception.deleteMany();
  const story = await beginStory(db);
  const { clock, services, ctx, organizationId } = story;
  await recordReception(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://127.0.0.1:9/' }));
  const { id } = await story.addMonitor({ name: 'Backup', url: undefined, type: 'heartbeat', ...fields });
  const readToken = async () => {
    const row = await db.monitor.findUniqueOrThrow({ where: { id } });
    return openToken(services.keyring, id, row.heartbeatTokenSealed ?? new Uint8Array());
  };
  const callWith = async (
    token: string,
    kind: HeartbeatCall['kind'] = 'success',
    {
      message = null,
      output = null,
      rid = null,
    }: Partial<Pick<ReceivedCall, 'message' | 'output' | 'rid'>> = {},
  ) => {
    const call = { kind, rid, at: clock.now().getTime(), message, output, tokenHash: hashToken(token) };
    const [isKnown = false] = await recordCalls(services, [call]);
    return isKnown;
  };
  const watch = async () => {
    while ((await missDeadlines(services)) > 0);
  };
  /** Passes time in which calls are received, as if that had been recorded all the time. */
  const elapse = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await db.$executeRaw`UPDATE reception SET received_until = ${clock.now()}`;
  };
  return {
    ...story,
    id,
    readToken,
    callWith,
    call: async (kind?: HeartbeatCall['kind'], message?: string) =>
      callWith(await readToken(), kind, { message: message ?? null }),
    /** A call whose job wrote a text. */
    callWithOutput: async (kind: HeartbeatCall['kind'], text: string) =>
      callWith(await readToken(), kind, { output: outputOf(text) }),
    /** Records that calls are received now. */
    receive: () => recordReception(services),
    /** Passes time in which calls are received and deadlines are watched. */
    pass: async (seconds: number) => {
      await elapse(seconds);
      await watch();
    },
    elapse,
    /** Passes time in which no process runs. */
    outage: async (seconds: number) => {
      clock.advance(seconds * 1000);
      await recordReception(services);
      await watch();
    },
    status: async () => (await db.monitorState.findUniqueOrThrow({ where: { monitorId: id } })).status,
    /** The bodies of all events so far, in order. */
    events: async () => {
      const rows = await db.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return rows.map(({ payload }) => JSON.parse(payload));
    },
    ctx,
  };
}

/** What is read of the body of a call. */
export function outputOf(text: string): SeenBody {
  return { text, size: text.length, truncated: false, type: 'text/plain', encoding: null };
}
