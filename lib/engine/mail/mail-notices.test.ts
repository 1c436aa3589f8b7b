import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { createLogger } from '@/lib/core/logger';
import { formatMinute } from '@/lib/core/time/duration';
import { beginDeliveryStory, START as DELIVERY_START } from '@/lib/engine/testing/delivery-story';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { joinTransaction } from '@/lib/platform/db/client';
import { readMoment } from '@/lib/platform/db/moments';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { createMailEngine, startDueMail } from './drain-mail';
import { memberNotices, nextNoticesAt } from './gather-notices';
import { mailDueNotices } from './mail-notices';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const DAY = 86_400_000;
const database = useTestDatabase();
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await database.db.memberNotice.deleteMany();
  await database.db.mail.deleteMany();
});

type Story = Awaited<ReturnType<typeof beginStory>>;
const begin = () => beginStory(database.db, { mail: true });

async function addMember({ organizationId, clock }: Story, alertMail = true): Promise<string> {
  const now = clock.now();
  const user = { id: createId('user'), passwordHash: '', createdAt: now, updatedAt: now };
  const email = `${user.id}@example.com`;
  const memberships = { create: { organizationId, role: 'viewer' as const, alertMail, createdAt: now } };
  await database.db.user.create({ data: { ...user, email, memberships } });
  return email;
}

async function ownerOf({ organizationId }: Pick<Story, 'organizationId'>): Promise<string> {
  const where = { organizationId, role: 'owner' as const };
  const { user } = await database.db.membership.findFirstOrThrow({ where, select: { user: true } });
  return user.email;
}

/** The queued mails of an organization: recipients and subjects. */
async function listMails({ organizationId, services }: Pick<Story, 'organizationId' | 'services'>) {
  const mails = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
  return mails.map(({ id, recipient, contentSealed }) => {
    const content = JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id)) as {
      subject: string;
    };
    return { recipient, subject: content.subject };
  });
}

describe('members', () => {
  it('read what a version before schema 5 wrote during an upgrade: effects and names of regions among the errors', async () => {
    const story = await begin();
    const { organizationId, services, clock } = story;
    const row = { organizationId, occurredAt: clock.now() };
    await database.db.memberNotice.createMany({
      data: [
        {
          ...row,
          kind: 'region.silent',
          subjectId: 'eu-west',
          subjectName: 'eu-west',
          error: 'Nothing is checked.',
        },
        { ...row, kind: 'probe.silent', subjectId: 'loc_1/rack-2', subjectName: 'rack-2', error: 'Hamburg' },
      ],
    });
    clock.advance(60_000);
    await mailDueNotices(services, SETTINGS);
    const [mail] = await database.db.mail.findMany({ where: { organizationId } });
    const content = services.keyring.open(mail?.contentSealed ?? new Uint8Array(), mail?.id ?? '');
    expect(content).toContain('Nothing is checked.');
    expect(content).toContain('It has not reported from Hamburg since');
  });

  it('get one mail each about what happens in the same moment, two seconds after it, and only once', async () => {
    const story = await begin();
    const owner = await ownerOf(story);
    const viewer = await addMember(story);
    await addMember(story, false);
    await story.addMonitor({ name: 'Shop', alertThreshold: 1 });
    await story.check(FAILED);
    const firstAt = story.clock.now();
    await story.addMonitor({ name: 'API', alertThreshold: 1 });
    await story.check(FAILED, { afterMs: 1500 });

    story.clock.set(new Date(firstAt.getTime() + 1999));
    expect(
      await readMoment(story.services.db, nextNoticesAt(memberNotices({ isOn: true }), SETTINGS)),
    ).toEqual(new Date(firstAt.getTime() + 2000));
    await mailDueNotices(story.services, SETTINGS);
    expect(await listMails(story)).toEqual([]);

    story.clock.advance(1);
    await mailDueNotices(story.services, SETTINGS);
    await mailDueNotices(story.services, SETTINGS);
    const subject = '2 monitors changed: 2 down';
    expect(await listMails(story)).toEqual([
      { recipient: owner, subject },
      { recipient: viewer, subject },
    ]);
    expect(
      await readMoment(story.services.db, nextNoticesAt(memberNotices({ isOn: true }), SETTINGS)),
    ).toBeNull();
  });

  it('get one mail about what follows within a minute of a mail, at its end; reminders start no minute', async () => {
    const story = await begin();
    const { organizationId, clock, services } = story;
    await story.addMonitor({ name: 'Shop', alertThreshold: 1 });
    await story.check(FAILED);
    clock.advance(2000);
    await mailDueNotices(services, SETTINGS);
    const mailedAt = clock.now();
    const about = { organizationId, incidentId: null, error: null, downtime: null, subjectId: 'shop' };
    const failing = { ...about, kind: 'monitor.down', subjectName: 'Blog' };
    const reminder = { ...about, kind: 'incident.reminder', subjectName: 'Shop' };
    clock.advance(20_000);
    await database.db.memberNotice.createMany({
      data: [
        { ...failing, occurredAt: clock.now() },
        { ...failing, subjectId: 'docs', subjectName: 'Docs', occurredAt: clock.now() },
        { ...reminder, occurredAt: clock.now(), mailedAt: clock.now() },
      ],
    });
    const endsAt = new Date(mailedAt.getTime() + 60_000);
    expect(await readMoment(services.db, nextNoticesAt(memberNotices({ isOn: true }), SETTINGS))).toEqual(
      endsAt,
    );
    clock.set(new Date(endsAt.getTime() - 1));
    await mailDueNotices(services, SETTINGS);
    expect(await listMails(story)).toHaveLength(1);
    clock.set(endsAt);
    await mailDueNotices(services, SETTINGS);
    expect((await listMails(story)).map(({ subject }) => subject)).toEqual([
      'Shop is down',
      '2 monitors changed: 2 down',
    ]);
  });

  it('who do not manage the organization get no mail about its probes', async () => {
    const story = await begin();
    const owner = await ownerOf(story);
    const viewer = await addMember(story);
    const { organizationId, clock } = story;
    const about = { organizationId, incidentId: null, downtime: null, occurredAt: clock.now() };
    const silent = {
      ...about,
      kind: 'probe.silent',
      subjectId: 'rack',
      subjectName: 'rack-2',
      error: 'Kiel',
    };
    await database.db.memberNotice.create({ data: silent });
    clock.advance(60_000);
    await mailDueNotices(story.services, SETTINGS);
    expect(await listMails(story)).toEqual([{ recipient: owner, subject: 'Probe rack-2 is silent' }]);

    const down = { ...silent, kind: 'monitor.down', subjectName: 'Shop', occurredAt: clock.now() };
    await database.db.memberNotice.createMany({ data: [silent, down] });
    clock.advance(60_000);
    await mailDueNotices(story.services, SETTINGS);
    expect((await listMails(story)).slice(1)).toEqual([
      { recipient: owner, subject: '1 monitor changed: 1 down; 1 probe silent' },
      { recipient: viewer, subject: 'Shop is down' },
    ]);
  });

  it('get readable mail, as text and HTML, with a link to the monitor', async () => {
    const story = await begin();
    const owner = await ownerOf(story);
    const { id } = await story.addMonitor({
      name: 'api.example.com',
      alertThreshold: 1,
      url: 'http://api.test/',
    });
    await story.check(OK, { afterMs: 0 });
    const deploy = { id: createId('marker'), title: 'Deploy 42', description: '', tags: [], monitors: [id] };
    const occurredAt = story.clock.now();
    const { organizationId } = story;
    await database.db.marker.create({
      data: { ...deploy, organizationId, occurredAt, createdAt: occurredAt },
    });
    await story.check(FAILED);
    const since = story.clock.now();
    story.clock.advance(60_000);
    const engine = createMailEngine({
      workerId: 'wrk_test',
      services: story.services,
      serviceName: 'Pharos',
      smtp: () => ({ url: server.url, from: { name: 'Pharos', address: 'pharos@example.com' } }),
      notices: SETTINGS,
      log: createLogger('silent', 'test'),
    });
    await mailDueNotices(story.services, SETTINGS);
    await startDueMail(engine);
    await engine.slots.idle();
    engine.transport.close();
    const { parsed } = await server.waitFor(({ to }) => to.includes(owner));
    expect(parsed.subject).toBe('api.example.com is down');
    for (const body of [parsed.text, parsed.html]) {
      expect(body).toContain('responded with 503, expected 200');
      expect(body).toContain(`https://pharos.test/monitors/${id}`);
      expect(body).toContain('You receive this email because you are a member of Test.');
    }
    expect(parsed.text).toContain(`Target: http://api.test/
Since: ${formatMinute(since)}
Status: operational → down
Changed: Deploy 42, ${formatMinute(occurredAt)}
`);
    const listId = parsed.headers.find(({ key }) => key === 'list-id')?.value;
    expect(listId).toBe(`<alert.${organizationId}.example.com>`);
  });

  it('of another organization are not notified', async () => {
    const [story, other] = [await begin(), await begin()];
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED);
    story.clock.advance(60_000);
    await mailDueNotices(story.services, SETTINGS);
    expect([(await listMails(story)).length, (await listMails(other)).length]).toEqual([1, 0]);
  });

  it('are notified once of a monitor that went down and recovered meanwhile', async () => {
    const story = await begin();
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED);
    await story.check(OK);
    story.clock.advance(60_000);
    await mailDueNotices(story.services, { ...SETTINGS, groupSeconds: 120 });
    expect((await listMails(story)).map(({ subject }) => subject)).toEqual(['Shop is back up']);
  });

  it('are notified immediately without gathering', async () => {
    const story = await begin();
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED);
    await mailDueNotices(story.services, { ...SETTINGS, groupSeconds: 0 });
    expect(await listMails(story)).toHaveLength(1);
  });

  it('are notified when a webhook endpoint was disabled for failing, without its full URL', async () => {
    const nobody = { url: 'http://127.0.0.1:9/secret', requests: [] };
    const story = await beginDeliveryStory(database.db, nobody, { mail: true });
    for (let delivery = 0; delivery < 3; delivery++) {
      await story.emit();
      await story.sendToTheEnd();
    }
    await story.emit();
    story.clock.set(new Date(DELIVERY_START.getTime() + 5 * DAY));
    expect(await database.db.memberNotice.count()).toBe(0);
    await story.send();
    expect(await story.webhook()).toMatchObject({ status: 'disabled' });
    story.clock.advance(60_000);
    await mailDueNotices(story.engine.services, SETTINGS);
    const recipients = { organizationId: story.organizationId, services: story.engine.services };
    expect((await listMails(recipients)).map(({ subject }) => subject)).toEqual([
      'Channel 127.0.0.1:9 was disabled',
    ]);
  });
});

describe('each notice is mailed exactly once', () => {
  it('by several concurrent workers', async () => {
    const stories = await Promise.all([begin(), begin(), begin()]);
    for (const story of stories) {
      await story.addMonitor({ alertThreshold: 1 });
      await story.check(FAILED);
      story.clock.advance(60_000);
    }
    await Promise.all(stories.map(({ services }) => mailDueNotices(services, SETTINGS)));
    for (const story of stories) await mailDueNotices(story.services, SETTINGS);
    for (const story of stories) expect(await listMails(story)).toHaveLength(1);
  });

  it('while another one is sending: new events wait for their own minute', async () => {
    const story = await begin();
    await story.addMonitor({ name: 'Shop', alertThreshold: 1 });
    await story.check(FAILED);
    story.clock.advance(60_000);
    await database.db.$transaction(async (tx) => {
      await mailDueNotices({ ...story.services, db: joinTransaction(tx) }, SETTINGS);
      await story.check(OK);
      await mailDueNotices(story.services, SETTINGS);
    });
    await mailDueNotices(story.services, SETTINGS);
    expect((await listMails(story)).map(({ subject }) => subject)).toEqual(['Shop is down']);
    expect(await database.db.memberNotice.count({ where: { mailedAt: null } })).toBe(1);
  });

  it('even if a worker is killed after marking them, before the mails are written', async () => {
    const story = await begin();
    await story.addMonitor({ alertThreshold: 1 });
    await story.check(FAILED);
    story.clock.advance(60_000);
    // Reading members is delayed, so that the kill reliably comes midway.
    await database.db.$transaction(async (holder) => {
      await holder.$executeRaw`LOCK TABLE membership IN ACCESS EXCLUSIVE MODE`;
      const killed = mailDueNotices(story.services, SETTINGS).then(
        () => 'finished',
        () => 'killed',
      );
      const blocked = () => holder.$queryRaw<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(blocked).toHaveLength(1);
      const [victim] = await blocked();
      await holder.$executeRaw`SELECT pg_terminate_backend(${victim?.pid}::int)`;
      expect(await killed).toBe('killed');
    });
    expect(await listMails(story)).toEqual([]);
    expect(await database.db.memberNotice.count({ where: { mailedAt: null } })).toBe(1);
    await mailDueNotices(story.services, SETTINGS);
    await mailDueNotices(story.services, SETTINGS);
    expect(await listMails(story)).toHaveLength(1);
  });
});
