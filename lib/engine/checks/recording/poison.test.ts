import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import type { DueCheck } from '@/lib/engine/checks/shards/scheduled-monitor';
import { tickSilentMonitors } from '@/lib/engine/checks/tick-monitors';
import type { ClaimedDelivery } from '@/lib/engine/deliveries/claim-deliveries';
import { createAttemptRecorder, finishAttempt } from '@/lib/engine/deliveries/record-attempts';
import { type ClaimedMail, claimDueMail, createMailRecorder, finishMail } from '@/lib/engine/mail/claim-mail';
import { memberNotices, nextNoticesAt } from '@/lib/engine/mail/gather-notices';
import { mailDueNotices } from '@/lib/engine/mail/mail-notices';
import { beginDeliveryStory, claimDue, incidentCreated } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { emitEvents } from '@/lib/notify/emit-events';
import { Prisma } from '@/lib/platform/db/generated/client';
import { readMoment } from '@/lib/platform/db/moments';
import { queueMails } from '@/lib/platform/mail/queue-mail';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createResultRecorder } from './record-results';

const database = useTestDatabase();
// A worker takes the checks of every organization.
beforeEach(() => database.db.organization.deleteMany());
const GOOD = 200;

/** The tests' database, with its statements counted. */
let counting: ReturnType<typeof openCountingDatabase>;
beforeAll(() => {
  counting = openCountingDatabase(database.url);
});
afterAll(() => counting.db.$disconnect());

/**
 * Runs `act`, which records 200 good rows and a bad one, after `actWithoutBad`, which records as many good ones. The bad one may cost as
 * much as finding it among the others, but not a statement for each of them.
 */
async function expectCheap(actWithoutBad: () => Promise<unknown>, act: () => Promise<unknown>) {
  const usual = await counting.count(actWithoutBad);
  const statements = await counting.count(act);
  expect(statements - usual).toBeLessThan(GOOD / 2);
}

/** 201 operational monitors, one of them about to be bad, and a recorder of their results. */
async function beginWithMonitors() {
  const kept = keepLog();
  const story = await beginStory(counting.db, { mail: true });
  const { id } = await story.addMonitor({ alertThreshold: 1 });
  const ids = [id, ...(await copyMonitor(database.db, id, GOOD))];
  await database.db.$executeRaw`
    INSERT INTO probe_schedule
    SELECT (jsonb_populate_record(schedule, jsonb_build_object('monitor_id', copy.id))).*
      FROM probe_schedule AS schedule, unnest(${ids.slice(1)}::text[]) AS copy (id) WHERE monitor_id = ${id}`;
  await database.db.$executeRaw`
    INSERT INTO status_period (monitor_id, state, from_at, decided_at)
    SELECT id, 'pending', ${story.clock.now()}, ${story.clock.now()} FROM unnest(${ids.slice(1)}::text[]) AS copy (id)`;
  const services = { ...story.services, log: kept.log };
  const recorder = createResultRecorder(services, kept.log);
  const badId = `${id}_100`;
  const take = async () => {
    story.clock.advance(90_000);
    const taken = await story.take();
    expect(taken).toHaveLength(GOOD + 1);
    return taken;
  };
  /** Records a good result for each check, except `result` for the bad monitor. */
  const record = async (checks: DueCheck[], result: ProbeResult) => {
    const startedAt = story.clock.now();
    const isRecorded = await Promise.all(
      checks.map((check) =>
        recorder.add({ check, startedAt, result: check.monitor.id === badId ? result : OK }),
      ),
    );
    expect(isRecorded.every(Boolean)).toBe(true);
  };
  const statuses = async () => {
    const bad = await database.db.monitorState.findUnique({ where: { monitorId: badId } });
    const [row] = await database.db.$queryRaw<[{ checked: number }]>`
      SELECT count(*)::int AS checked FROM raw.check_result JOIN monitor ON monitor.number = monitor
       WHERE monitor.id = ANY(${ids}) AND checked_at = ${story.clock.now()} AND outcome = 0`;
    return { bad: bad?.status, checkedNow: row.checked };
  };
  const resultsOfBad = () =>
    database.db.$queryRaw<{ outcome: number; error: string | null }[]>`
      SELECT outcome, error FROM raw.check_result
       WHERE monitor = (SELECT number FROM monitor WHERE id = ${badId}) ORDER BY checked_at`;
  return { story, services, kept, ids, badId, take, record, statuses, resultsOfBad };
}

describe('among 200 good rows', () => {
  it('a result that PostgreSQL rejects is recorded as unknown and alerts nobody', async () => {
    const { kept, badId, take, record, statuses, resultsOfBad } = await beginWithMonitors();
    const before = await take();
    await expectCheap(
      () => record(before, OK),
      async () => record(await take(), { ...FAILED, statusCode: 99_999 }),
    );
    expect(await statuses()).toEqual({ bad: 'operational', checkedNow: GOOD });
    expect(await resultsOfBad()).toEqual([
      { outcome: 0, error: null },
      { outcome: 2, error: 'the result could not be stored' },
    ]);
    expect(kept.lines()).toMatchObject([{ monitor: badId, recording: 'results' }]);
    expect((await take()).map(({ monitor }) => monitor.id)).toContain(badId);
  });

  it.each([
    ['cannot be read', 'could not read', { broken: true }],
    ['breaks the transition', 'could not use', { status: 'operational', regions: null, floor: 0 }],
  ])('a state that %s restarts at pending', async (_, words, machine) => {
    const { kept, badId, take, record, statuses, resultsOfBad } = await beginWithMonitors();
    const before = await take();
    await expectCheap(
      () => record(before, OK),
      async () => {
        await database.db.monitorState.update({ where: { monitorId: badId }, data: { machine } });
        await record(await take(), OK);
      },
    );
    expect(await statuses()).toEqual({ bad: 'operational', checkedNow: GOOD + 1 });
    expect(await resultsOfBad()).toMatchObject([{ outcome: 0 }, { outcome: 0 }]);
    expect(kept.lines()).toMatchObject([
      { monitor: badId, msg: `${words} the state of a monitor; it restarts at pending` },
    ]);
    const periods = await database.db.statusPeriod.findMany({
      where: { monitorId: badId },
      orderBy: { id: 'asc' },
    });
    expect(periods.map(({ state }) => state)).toEqual(['pending', 'operational', 'pending', 'operational']);
    expect(periods.filter(({ to }) => to === null)).toHaveLength(1);
  });

  it('an unreadable state does not block ticks', async () => {
    const { story, services, ids, badId, take, record } = await beginWithMonitors();
    await record(await take(), OK);
    await database.db.monitorState.update({
      where: { monitorId: badId },
      data: { machine: { broken: true } },
    });
    story.clock.advance(3_600_000);
    while ((await tickSilentMonitors(services)) > 0);
    const unknown = { monitorId: { in: ids }, state: 'unknown' as const, to: null };
    expect(await database.db.statusPeriod.count({ where: unknown })).toBe(GOOD);
  });

  it('a delivery attempt that PostgreSQL rejects ends without its response', async () => {
    const kept = keepLog();
    const { services, ctx, clock, organizationId } = await beginStory(counting.db);
    await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
    const recorder = createAttemptRecorder(services, kept.log);
    const at = clock.now();
    /** Emits 201 events and claims their deliveries. */
    const claim = async () => {
      const event = { organizationId, occurredAt: at, payload: incidentCreated(at) };
      await database.db.$transaction((tx) => emitEvents(tx, services, Array(GOOD + 1).fill(event)));
      const claimed: ClaimedDelivery[] = [];
      let found: ClaimedDelivery[];
      do {
        found = await claimDue(services, 'wrk_test');
        claimed.push(...found);
      } while (found.length > 0);
      expect(claimed).toHaveLength(GOOD + 1);
      return claimed;
    };
    const record = async (deliveries: ClaimedDelivery[], bad?: ClaimedDelivery) => {
      const isRecorded = await Promise.all(
        deliveries.map((delivery) => {
          const request = { method: 'POST' as const, url: 'http://receiver.test/', headers: { 'x-a': '1' } };
          const respond = (statusCode: number) => ({ statusCode, headers: {}, body: 'thanks' });
          const outcome =
            delivery === bad
              ? {
                  kind: 'rejected' as const,
                  request,
                  response: respond(9_999_999_999),
                  error: 'refused',
                  duration: 5,
                }
              : { kind: 'delivered' as const, request, response: respond(200), duration: 5 };
          return recorder.add(finishAttempt(delivery, outcome, { sentAt: at, at }));
        }),
      );
      expect(isRecorded.every(Boolean)).toBe(true);
    };
    const [first, second] = [await claim(), await claim()];
    const bad = second[100];
    await expectCheap(
      () => record(first),
      () => record(second, bad),
    );
    const delivered = { organizationId, status: 'delivered' as const, leaseUntil: null };
    expect(await database.db.delivery.count({ where: delivered })).toBe(2 * GOOD + 1);
    const row = await database.db.delivery.findUniqueOrThrow({
      where: { id: bad?.id ?? '' },
      include: { attemptLog: true },
    });
    expect(row).toMatchObject({ status: 'pending', failures: 1, leaseUntil: null });
    expect(row.attemptLog).toMatchObject([
      { statusCode: null, responseBody: null, error: 'not delivered; the response could not be stored' },
    ]);
    expect(kept.lines()).toMatchObject([{ delivery: bad?.id, recording: 'delivery attempts' }]);
  });

  it('a mail attempt that PostgreSQL rejects is given up', async () => {
    const kept = keepLog();
    const { services, clock } = await beginStory(counting.db, { mail: true });
    const content = { subject: 'Join', blocks: [{ paragraph: 'You are invited.' }] };
    const recorder = createMailRecorder(services, kept.log);
    /** Queues 201 mails and claims them. */
    const claim = async (kind: string) => {
      const to = (n: number) => `ada${n}@example.com`;
      const mails = Array.from({ length: GOOD + 1 }, (_, n) => ({
        organizationId: null,
        kind,
        to: to(n),
        content,
      }));
      await database.db.$transaction((tx) => queueMails(tx, services, mails));
      return claimDueMail(services, { limit: GOOD + 1, workerId: 'wrk_test' });
    };
    const record = async (mails: ClaimedMail[], bad?: ClaimedMail) => {
      const isRecorded = await Promise.all(
        mails.map((mail) => {
          const settled = finishMail(mail, { sent: true }, clock.now());
          const end = { end: 'failed' as const, failures: 9_999_999_999 };
          return recorder.add(mail === bad ? { ...settled, end, error: 'refused' } : settled);
        }),
      );
      expect(isRecorded.filter((one) => !one)).toHaveLength(bad ? 1 : 0);
    };
    const [first, second] = [await claim('first'), await claim('second')];
    const bad = second[100];
    await expectCheap(
      () => record(first),
      () => record(second, bad),
    );
    expect(await database.db.mail.count({ where: { kind: 'second', sentAt: { not: null } } })).toBe(GOOD);
    expect(kept.lines()).toMatchObject([{ mail: bad?.id }, { mail: bad?.id }]);
  });

  it('a delivery whose secret cannot be decrypted fails on schedule', async () => {
    const story = await beginDeliveryStory(database.db, { url: 'http://receiver.test', requests: [] });
    await database.db.webhookEndpoint.update({
      where: { id: story.endpoint.id },
      data: { secretSealed: new Uint8Array([1, 2, 3]) },
    });
    await story.emit();
    await story.sendToTheEnd();
    const { status, reason, attemptLog } = await story.delivery();
    expect({ status, reason }).toEqual({ status: 'failed', reason: 'exhausted' });
    expect(attemptLog.map(({ error }) => error)).toEqual(
      Array(6).fill('the signing secret cannot be decrypted; rotate the secret'),
    );
  });

  it('notices that cannot be mailed are dropped, while those of other organizations are mailed', async () => {
    const kept = keepLog();
    const [bad, good] = [
      await beginStory(counting.db, { mail: true }),
      await beginStory(counting.db, { mail: true }),
    ];
    const occurredAt = new Date(bad.clock.now().getTime() - 120_000);
    const notice = {
      subjectId: 'mon_1',
      subjectName: 'Shop',
      error: 'responded with 503',
      downtime: null,
      occurredAt,
    };
    await database.db.memberNotice.createMany({
      data: [
        { ...notice, kind: 'monitor.down', organizationId: bad.organizationId },
        { ...notice, kind: 'monitor.down', organizationId: good.organizationId },
      ],
    });
    await database.db.$executeRaw`
      ALTER TABLE mail ADD CONSTRAINT refuses CHECK (organization_id <> ${Prisma.raw(`'${bad.organizationId}'`)})`;
    const settings = { groupSeconds: 60, appUrl: null };
    await mailDueNotices({ ...good.services, log: kept.log }, settings);
    const kinds = await database.db.mail.findMany({
      where: { kind: 'alert' },
      select: { organizationId: true },
    });
    expect(kinds).toEqual([{ organizationId: good.organizationId }]);
    expect(kept.lines()).toMatchObject([{ organization: bad.organizationId }]);
    expect(
      await readMoment(good.services.db, nextNoticesAt(memberNotices({ isOn: true }), settings)),
    ).toBeNull();
    await database.db.$executeRaw`ALTER TABLE mail DROP CONSTRAINT refuses`;
  });
});
