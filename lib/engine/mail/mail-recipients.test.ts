import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEmailRecipient,
  deleteEmailRecipient,
  updateEmailRecipient,
} from '@/lib/domain/email-recipients/change-recipients';
import { confirmRecipient } from '@/lib/domain/email-recipients/confirm-recipient';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { unsubscribeMember } from '@/lib/domain/people/mail-preferences';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { writeNotices } from '@/lib/notify/notices';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { memberLinkSchema } from '@/lib/schemas/people';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { mailDueNotices } from './mail-notices';
import { mailDueReminders } from './mail-reminders';
import { combineByAddress, type MailRecipient } from './recipients';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const MINUTE = 60_000;
const database = useTestDatabase();

/** A monitor that fails after one check, and an organization without members. */
async function begin() {
  const { db } = database;
  const story = await beginStory(db, { mail: true });
  const { clock, services, organizationId } = story;
  const ctx = { ...story.ctx, appUrl: SETTINGS.appUrl };
  await db.membership.deleteMany({ where: { organizationId } });
  const shop = await story.addMonitor({ interval: 60, alertThreshold: 1, tags: ['shop'] });
  const read = async () => {
    const mails = await db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
    await db.mail.deleteMany({ where: { organizationId } });
    return mails.map(({ id, recipient, contentSealed }) => {
      const content: MailContent = JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id));
      return { to: recipient.split('@', 1)[0], ...content };
    });
  };
  return {
    ...story,
    ctx,
    shop,
    /** Adds an address; confirms it with the link that was mailed to it. */
    add: async (
      name: string,
      { rules = [], confirms = true }: { rules?: object[]; confirms?: boolean } = {},
    ) => {
      const email = `${name}@${organizationId.replace('_', '-')}.example.com`;
      const { id } = await createEmailRecipient(ctx, createEmailRecipientSchema.parse({ email, rules }));
      const [confirmation] = await read();
      const token = new URL(confirmation?.button?.url ?? '').searchParams.get('token') ?? '';
      if (confirms) await confirmRecipient(services, token);
      return { id, email };
    },
    pass: async (ms = 2 * MINUTE) => {
      clock.advance(ms);
      await mailDueNotices(services, SETTINGS);
      await mailDueReminders(services, SETTINGS);
      return read();
    },
  };
}

const subjects = (mails: { to: string | undefined; subject: string }[]) =>
  mails.map(({ to, subject }) => `${to}: ${subject}`);

describe('an address without an account', () => {
  it('is emailed outages and recoveries once it was confirmed, and nothing before', async () => {
    const story = await begin();
    await story.add('agency');
    await story.add('stranger', { confirms: false });
    await story.check(FAILED);
    expect(subjects(await story.pass())).toEqual(['agency: Shop is down']);
    await story.check(OK);
    expect(subjects(await story.pass())).toEqual(['agency: Shop is back up']);
  });

  it('gets no links to the dashboard, but why, and one that stops the alerts with one click', async () => {
    const story = await begin();
    const { id } = await story.add('agency');
    await story.check(FAILED);
    const [mail] = await story.pass();
    expect(mail).not.toHaveProperty('button');
    expect(mail?.footnote).toContain('you confirmed that Test may send alerts to this address');
    const text = JSON.stringify(mail?.blocks);
    expect(text).not.toContain('https://pharos.test');
    const link = memberLinkSchema.parse(Object.fromEntries(new URL(mail?.unsubscribeUrl ?? '').searchParams));
    await unsubscribeMember(story.services, link, null);
    const row = await database.db.emailRecipient.findUniqueOrThrow({ where: { id } });
    expect(row.unsubscribedAt).not.toBeNull();
    await story.check(OK);
    expect(await story.pass()).toEqual([]);
  });

  it('is emailed what its rules match, and the recovery and reminders of that', async () => {
    const story = await begin();
    const operator = { ...story.ctx, actor: { kind: 'operator' as const } };
    await changeReminders(operator, { reminderMinutes: 30 });
    await story.add('shop', { rules: [{ tags: ['shop'] }] });
    await story.add('blog', { rules: [{ tags: ['blog'] }] });
    await story.check(FAILED);
    expect(subjects(await story.pass())).toEqual(['shop: Shop is down']);
    expect(subjects(await story.pass(30 * MINUTE))).toEqual(['shop: Shop is still down']);
    await story.check(OK);
    expect(subjects(await story.pass())).toEqual(['shop: Shop is back up']);
  });

  it('is not emailed while it is disabled, nor once it was deleted', async () => {
    const story = await begin();
    const [off, gone] = [await story.add('off'), await story.add('gone')];
    await updateEmailRecipient(story.ctx, off.id, { enabled: false });
    await deleteEmailRecipient(story.ctx, gone.id);
    await story.check(FAILED);
    expect(await story.pass()).toEqual([]);
  });

  it('is emailed nothing about regions, probes and endpoints', async () => {
    const story = await begin();
    await story.add('agency');
    const { organizationId, clock } = story;
    const about = { organizationId, incidentId: null, error: null, downtime: null, occurredAt: clock.now() };
    await database.db.$transaction((tx) =>
      writeNotices(tx, { isOn: true }, [
        { ...about, kind: 'region.silent', subjectId: 'eu-west', subjectName: 'eu-west' },
        { ...about, kind: 'probe.silent', subjectId: 'loc_1/rack', subjectName: 'rack', regionName: 'Kiel' },
        { ...about, kind: 'webhook.disabled', subjectId: 'whk_1', subjectName: 'hooks' },
      ]),
    );
    expect(await story.pass()).toEqual([]);
  });

  it('that becomes that of a member is emailed once, with what either is to get', async () => {
    const story = await begin();
    const { email } = await story.add('ann');
    const { organizationId, clock } = story;
    const now = clock.now();
    const user = { id: `usr_${organizationId}`, email, passwordHash: '', createdAt: now, updatedAt: now };
    const alertRules = [{ tags: ['blog'], monitors: [], severities: [], kinds: [], schedule: null }];
    const memberships = { create: { organizationId, role: 'member' as const, alertRules, createdAt: now } };
    await database.db.user.create({ data: { ...user, memberships } });
    await story.check(FAILED);
    const mails = await story.pass();
    expect(subjects(mails)).toEqual(['ann: Shop is down']);
    expect(mails[0]?.footnote).toContain('a member of Test');
  });
});

it('mails take as many statements however many recipients there are', async () => {
  const count = async (recipients: number) => {
    const story = await begin();
    for (let index = 0; index < recipients; index++) await story.add(`agency-${index}`);
    await story.check(FAILED);
    story.clock.advance(2 * MINUTE);
    const counting = openCountingDatabase(database.url);
    const services = { ...story.services, db: counting.db };
    const statements = await counting.count(() => mailDueNotices(services, SETTINGS));
    await counting.db.$disconnect();
    return statements;
  };
  expect(await count(6)).toBe(await count(1));
});

describe('those who are to be notified of something', () => {
  const recipients = fc
    .array(
      fc.record({
        to: fc.constantFrom('a', 'b', 'c'),
        isMember: fc.boolean(),
        wants: fc.subarray([1, 2, 3, 4]),
      }),
    )
    .map((all) => all.map((each, index) => ({ ...each, id: String(index) })));
  const toRecipient = ({
    id,
    to,
    isMember,
  }: {
    id: string;
    to: string;
    isMember: boolean;
  }): MailRecipient => {
    return { id, to, browsers: [], isMember, manages: false, acknowledges: false, rules: [] };
  };

  it('hears it, at their address, and nobody hears anything twice or that they are not to hear', () => {
    fc.assert(
      fc.property(recipients, (given) => {
        const wants = new Map(given.map(({ id, wants }) => [id, wants]));
        const all = [1, 2, 3, 4];
        const sent = combineByAddress(given.map(toRecipient), all, ({ id }, item) =>
          Boolean(wants.get(id)?.includes(item)),
        );
        const heard = [...sent].flatMap(([{ to }, items]) => items.map((item) => `${to} ${item}`));
        const owed = given.flatMap(({ to, wants: own }) => own.map((item) => `${to} ${item}`));
        expect(heard.toSorted()).toEqual([...new Set(owed)].toSorted());
        for (const items of sent.values()) expect(items).toEqual(items.toSorted());
      }),
    );
  });
});
