import { describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { changeMailPreferences, readMailPreferences } from '@/lib/domain/people/mail-preferences';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { beginStory, FAILED, OK } from '@/lib/engine/testing/story';
import { writeNotices } from '@/lib/notify/notices';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { memberRulesSchema } from '@/lib/schemas/webhooks/rules';
import { useTestDatabase } from '@/lib/testing/database';
import { mailDueNotices } from './mail-notices';
import { mailDueReminders } from './mail-reminders';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const MINUTE = 60_000;
const database = useTestDatabase();

/** A shop and a blog that are down after one check, and members with rules. */
async function begin() {
  const { db } = database;
  const story = await beginStory(db, { mail: true });
  const { ctx, clock, services, organizationId } = story;
  await db.membership.deleteMany({ where: { organizationId } });
  const usual = { interval: 60, alertThreshold: 1 };
  const shop = await story.addMonitor({ ...usual, tags: ['shop'] });
  const blog = await story.addMonitor({ ...usual, name: 'Blog', url: 'http://blog.test/' });
  const ids = new Map<string, string>();
  const setRules = (name: string, rules: object[]) =>
    changeMailPreferences(ctx, ids.get(name) ?? '', { alertRules: memberRulesSchema.parse(rules) });
  return {
    ...story,
    shop,
    blog,
    setRules,
    addMember: async (name: string, rules: object[] = []) => {
      const [id, createdAt] = [createId('user'), clock.now()];
      const email = `${name}@${organizationId}.example.com`;
      ids.set(name, id);
      await db.user.create({ data: { id, email, passwordHash: '', createdAt, updatedAt: createdAt } });
      await db.membership.create({ data: { organizationId, userId: id, role: 'member', createdAt } });
      await setRules(name, rules);
    },
    rulesOf: async (name: string) => (await readMailPreferences(ctx, ids.get(name) ?? '')).alertRules,
    change: async (failing: readonly string[]) => {
      clock.advance(90_000);
      const results = (await story.take()).map((check) => ({
        check,
        startedAt: clock.now(),
        result: failing.includes(check.monitor.id) ? FAILED : OK,
      }));
      await recordResults(services, results);
    },
    /** Lets time pass, and returns what is emailed since, as “ann: Shop is down”. */
    pass: async (ms = 2 * MINUTE) => {
      clock.advance(ms);
      await mailDueNotices(services, SETTINGS);
      await mailDueReminders(services, SETTINGS);
      const mails = await db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      await db.mail.deleteMany({ where: { organizationId } });
      return mails.map(({ id, recipient, contentSealed }) => {
        const content: MailContent = JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id));
        return `${recipient.split('@', 1)}: ${content.subject}`;
      });
    },
  };
}

describe('members with rules', () => {
  it('are emailed what matches, each their own part of what is gathered', async () => {
    const { addMember, shop, blog, change, pass } = await begin();
    await addMember('all');
    await addMember('shop', [{ tags: ['shop'] }]);
    await addMember('blog', [{ monitors: [blog.id] }]);
    await addMember('none', [{ tags: ['db'] }]);
    await change([]);
    await change([shop.id, blog.id]);
    expect(await pass()).toEqual([
      'all: 2 monitors changed: 2 down',
      'shop: Shop is down',
      'blog: Blog is down',
    ]);
  });

  it('get the recovery and the reminders of what they were emailed, whatever their rules are by then', async () => {
    const { ctx, addMember, setRules, shop, change, pass } = await begin();
    await changeReminders({ ...ctx, actor: { kind: 'operator' } }, { reminderMinutes: 30 });
    await addMember('shop', [{ tags: ['shop'] }]);
    await addMember('blog', [{ tags: ['blog'] }]);
    await addMember('late', [{ kinds: ['monitor.up'] }]);
    await change([]);
    await change([shop.id]);
    expect(await pass()).toEqual(['shop: Shop is down']);
    await setRules('shop', [{ tags: ['blog'] }]);
    await setRules('blog', [{ tags: ['shop'] }]);
    expect(await pass(31 * MINUTE)).toEqual(['shop: Shop is still down']);
    await setRules('blog', [{ tags: ['blog'] }]);
    await change([]);
    expect(await pass()).toEqual(['shop: Shop is back up', 'late: Shop is back up']);
  });

  it('are emailed at the time of their schedule', async () => {
    const { addMember, shop, change, pass } = await begin();
    const hours = (from: string, to: string) => [{ schedule: { from, to } }];
    await addMember('day', hours('08:00', '20:00'));
    await addMember('night', hours('20:00', '08:00'));
    await change([]);
    await change([shop.id]);
    expect(await pass()).toEqual(['day: Shop is down']);
  });

  it('were notified of an outage that everyone was emailed before there were rules', async () => {
    const { addMember, setRules, shop, change, pass } = await begin();
    await addMember('ann');
    await change([]);
    await change([shop.id]);
    expect(await pass()).toHaveLength(1);
    await setRules('ann', [{ tags: ['blog'] }]);
    await change([]);
    expect(await pass()).toEqual(['ann: Shop is back up']);
  });

  it('get what is not about monitors', async () => {
    const { addMember, organizationId, clock, pass } = await begin();
    await addMember('shop', [{ tags: ['shop'] }]);
    const about = { organizationId, incidentId: null, error: null, downtime: null, occurredAt: clock.now() };
    await writeNotices(database.db, { isOn: true }, [
      { ...about, kind: 'webhook.disabled', subjectId: 'whk_1', subjectName: 'Chat' },
    ]);
    expect(await pass()).toEqual([expect.stringMatching(/^shop: .*Chat/)]);
  });
});

it('rules of a member name monitors of the organization, and keep deleted ones', async () => {
  const { addMember, setRules, rulesOf, shop, ctx } = await begin();
  const { shop: foreign } = await begin();
  await addMember('ann', [{ monitors: [shop.id] }]);
  await expect(setRules('ann', [{ monitors: [foreign.id] }])).rejects.toMatchObject({
    code: 'UNKNOWN_MONITOR',
  });
  await deleteMonitor(ctx, shop.id);
  await setRules('ann', [{ monitors: [shop.id], tags: ['shop'] }]);
  expect(await rulesOf('ann')).toMatchObject([{ monitors: [shop.id], tags: ['shop'] }]);
});
