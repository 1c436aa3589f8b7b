import { expect, it } from 'vitest';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createEmailRecipient } from '@/lib/domain/email-recipients/change-recipients';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { changeMailPreferences } from '@/lib/domain/people/mail-preferences';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { beginDependencies } from '@/lib/engine/announcements/testing/dependency-story';
import { beginFlapping } from '@/lib/engine/announcements/testing/flapping-story';
import { createEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { listenersQuerySchema } from '@/lib/schemas/webhooks/listeners';
import { memberRulesSchema } from '@/lib/schemas/webhooks/rules';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { useTestDatabase } from '@/lib/testing/database';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readListeners } from './read-listeners';

const database = useTestDatabase();

/** A shop behind a gateway; an endpoint for programs, one for people, and a member. */
async function begin() {
  const story = await beginDependencies(database.db);
  await story.change('Shop', { tags: ['shop'] });
  const { ctx } = story;
  /** Who is notified, and why, as “chat: rule 0”. */
  const ask = async (query: object = {}, context = ctx) => {
    const asked = await readListeners(context, story.idOf('Shop'), listenersQuerySchema.parse(query));
    const names = new Map(Object.entries(story.endpoints).map(([name, id]) => [id, name]));
    return Object.fromEntries(
      asked.listeners.map(({ type, id, notified, reason, rule }) => [
        type === 'member' ? 'member' : (names.get(id) ?? 'other'),
        `${notified ? 'yes' : 'no'}: ${reason}${rule === null ? '' : ` ${rule}`}`,
      ]),
    );
  };
  return { ...story, ask };
}

it('says who is notified of an outage, and why', async () => {
  const { ask } = await begin();
  const everyone = { standard: 'yes: everything', chat: 'yes: everything', member: 'yes: everything' };
  expect(await ask()).toEqual(everyone);
  expect(await ask({ event: 'incident.updated' })).toEqual({
    standard: 'no: not_subscribed',
    chat: 'yes: everything',
    member: 'no: not_emailed',
  });
});

it('considers rules, the severity and the time', async () => {
  const { ctx, ask, organizationId } = await begin();
  const { userId } = await database.db.membership.findFirstOrThrow({ where: { organizationId } });
  const night = { from: '20:00', to: '06:00', timeZone: 'Europe/Berlin' };
  const rules = [{ tags: ['shop'], schedule: night }, { severities: ['minor'] }];
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/', rules }));
  await changeMailPreferences(ctx, userId, { alertRules: memberRulesSchema.parse([{ tags: ['blog'] }]) });
  // Berlin is an hour ahead of UTC.
  expect(await ask({ at: '2026-03-01T18:59:00Z' })).toMatchObject({
    other: 'no: no_rule_matches',
    member: 'no: no_rule_matches',
  });
  expect(await ask({ at: '2026-03-01T19:00:00Z' })).toMatchObject({ other: 'yes: rule 0' });
  expect(await ask({ severity: 'minor' })).toMatchObject({ other: 'yes: rule 1' });
  expect(await ask({ event: 'monitor.degraded' })).toMatchObject({ other: 'yes: rule 1' });
});

it('names an address without an account only to those who may see recipients', async () => {
  const { ctx, idOf } = await begin();
  const [email, description] = ['oncall@agency.example', 'The agency'];
  await createEmailRecipient(ctx, createEmailRecipientSchema.parse({ email, description }));
  const named = async (context: OrganizationContext) => {
    const { listeners } = await readListeners(context, idOf('Shop'), {});
    return listeners.find(({ type }) => type === 'email');
  };
  expect(await named(ctx)).toMatchObject({ name: email, notified: false, reason: 'unconfirmed' });
  const viewer = { ...ctx, actor: { kind: 'user', userId: 'usr_1', role: 'viewer' } as const };
  expect(await named(viewer)).toMatchObject({ name: description });
});

it('says that people are not notified now, because of what the monitor depends on', async () => {
  const { ask, check } = await begin();
  await check([]);
  await check(['Gateway'], { only: ['Gateway'] });
  const held = { standard: 'yes: everything', chat: 'no: held', member: 'no: held' };
  expect(await ask()).toEqual(held);
  expect(await ask({ at: '2027-01-01T00:00:00Z' })).toMatchObject({ chat: 'yes: everything' });
});

it('a pause and a maintenance window are reasons why nobody is notified, now or at that time', async () => {
  const { ctx, ask, idOf, clock } = await begin();
  const nobody = (reason: string) => ({
    standard: `no: ${reason}`,
    chat: `no: ${reason}`,
    member: `no: ${reason}`,
  });
  const everyone = { standard: 'yes: everything', chat: 'yes: everything', member: 'yes: everything' };
  const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000).toISOString();
  await createMaintenance(
    ctx,
    createMaintenanceSchema.parse({
      title: 'Update',
      startsAt: minutes(10),
      endsAt: minutes(20),
      monitors: [idOf('Shop')],
    }),
  );
  expect(await ask()).toEqual(everyone);
  expect(await ask({ at: minutes(15) })).toEqual(nobody('maintenance'));
  expect(await ask({ at: minutes(20) })).toEqual(everyone);
  clock.advance(15 * 60_000);
  expect(await ask()).toEqual(nobody('maintenance'));
  // People can open incidents that affect it.
  expect(await ask({ event: 'incident.created' })).toMatchObject({ chat: 'yes: everything' });
  await setMonitorsEnabled(ctx, [idOf('Shop')], false);
  expect(await ask()).toEqual(nobody('paused'));
  expect(await ask({ at: minutes(20) })).toEqual(everyone);
});

it('only programs are notified of a monitor that flaps', async () => {
  const story = await beginFlapping(database.db);
  await story.flap(5);
  const { listeners } = await readListeners(story.ctx, story.idOf('Shop'), {});
  const reasons = new Map(listeners.map(({ id, reason }) => [id, reason]));
  const { standard, chat, custom, pagerduty } = story.endpoints;
  expect([standard, custom, chat, pagerduty].map((id) => reasons.get(id))).toEqual([
    'everything',
    'everything',
    'flapping',
    'flapping',
  ]);
  await story.rest(10);
  const after = await readListeners(story.ctx, story.idOf('Shop'), {});
  expect(after.listeners.every(({ reason }) => reason === 'everything')).toBe(true);
});

it('takes as many statements however many listeners there are, and knows no monitor of others', async () => {
  const { ctx, ask } = await begin();
  const counting = openCountingDatabase(database.url);
  const counted = { ...ctx, db: counting.db };
  const before = await counting.count(() => ask({}, counted));
  for (let index = 0; index < 5; index++) {
    await createWebhook(ctx, createWebhookSchema.parse({ url: `http://receiver.test/${index}` }));
  }
  expect(await counting.count(() => ask({}, counted))).toBe(before);
  await counting.db.$disconnect();
  const other = await begin();
  await expect(readListeners(other.ctx, 'mon_none', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
