import { beforeEach, describe, expect, it } from 'vitest';
import {
  acknowledgeByLink,
  readLinkedIncidents,
} from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { listIncidents } from '@/lib/domain/incidents/read-incidents';
import { readNotified } from '@/lib/domain/incidents/read-notified';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { beginStory, FAILED, OK, SLOW } from '@/lib/engine/testing/story';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { acknowledgeLinkSchema } from '@/lib/schemas/incidents/acknowledge-link';
import { incidentsQuerySchema } from '@/lib/schemas/incidents/incident';
import { MAX_REMINDERS } from '@/lib/schemas/incidents/reminder-limits';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { useTestDatabase } from '@/lib/testing/database';
import { mailDueNotices } from './mail-notices';
import { mailDueReminders } from './mail-reminders';

const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const database = useTestDatabase();

beforeEach(async () => {
  await database.db.organization.updateMany({ data: { reminderMinutes: null } });
});

/** An organization that is reminded every 30 minutes, with a monitor named Shop. */
async function begin({ minutes = 30 }: { minutes?: number | null } = {}) {
  const story = await beginStory(database.db, { mail: true });
  const { clock, services, organizationId } = story;
  const operator = { ...story.ctx, actor: { kind: 'operator' as const } };
  const setMinutes = (reminderMinutes: number | null) => changeReminders(operator, { reminderMinutes });
  await setMinutes(minutes);
  const shop = await story.addMonitor({ alertThreshold: 1 });
  const read = async () => {
    const mails = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
    return mails.map(({ id, contentSealed }): MailContent => {
      return JSON.parse(services.keyring.open(contentSealed ?? new Uint8Array(), id));
    });
  };
  let seen = 0;
  return {
    ...story,
    shop,
    setMinutes,
    /** Lets time pass, sends what is due, and returns the new mails to the only member. */
    pass: async (ms: number) => {
      clock.advance(ms);
      await mailDueNotices(services, SETTINGS);
      await mailDueReminders(services, SETTINGS);
      const mails = await read();
      const fresh = mails.slice(seen);
      seen = mails.length;
      return fresh;
    },
    openIncident: async () => {
      const { items } = await listIncidents(story.ctx, incidentsQuerySchema.parse({ open: 'true' }));
      return items[0]?.id ?? '';
    },
  };
}

type Story = Awaited<ReturnType<typeof begin>>;
const subjects = (mails: MailContent[]) => mails.map(({ subject }) => subject);
const DOWN = ['Shop is down'];
const REMINDED = ['Shop is still down'];

/** The link in a mail that acknowledges. */
function linkIn(mail: MailContent | undefined) {
  const lines = mail?.blocks.flatMap((block) => ('list' in block ? block.list : [])) ?? [];
  const url = lines.find(({ text }) => text === 'Acknowledge')?.url ?? 'https://pharos.test';
  return acknowledgeLinkSchema.parse(Object.fromEntries(new URL(url).searchParams));
}

/** The monitor fails, and members are notified. */
async function goDown(story: Story): Promise<string> {
  await story.check(FAILED);
  expect(subjects(await story.pass(MINUTE))).toEqual(DOWN);
  return story.openIncident();
}

describe('members', () => {
  it('are reminded every so many minutes after the last email, until someone acknowledges the incident', async () => {
    const story = await begin();
    const id = await goDown(story);
    expect(await story.pass(30 * MINUTE - 1)).toEqual([]);
    expect(subjects(await story.pass(1))).toEqual(REMINDED);
    expect(await story.pass(30 * MINUTE - 1), 'once').toEqual([]);
    expect(subjects(await story.pass(1))).toEqual(REMINDED);
    await acknowledgeIncident(story.ctx, id);
    expect(await story.pass(HOUR)).toEqual([]);
    await unacknowledgeIncident(story.ctx, id);
    expect(subjects(await story.pass(0)), 'it is due again').toEqual(REMINDED);
  });

  it('read for how long and why, and what ends the reminders', async () => {
    const story = await begin();
    const id = await goDown(story);
    const [mail] = await story.pass(30 * MINUTE);
    expect(mail).toEqual({
      subject: 'Shop is still down',
      preheader: 'It has been down for 31m: responded with 503, expected 200',
      blocks: [
        {
          list: [
            { text: 'Cause', detail: 'responded with 503, expected 200' },
            { text: 'Target', detail: 'http://shop.test/' },
            { text: 'Since', detail: '2026-03-01 12:01 UTC, for 31m' },
          ],
        },
        {
          paragraph:
            'Nobody has acknowledged its incident. Reminders follow every 30m until someone acknowledges it or the monitor recovers.',
        },
        { list: [expect.objectContaining({ text: 'Acknowledge' })] },
      ],
      button: { label: 'View incident', url: `https://pharos.test/incidents/${id}` },
      footnote: 'You receive this email because you are a member of Test.',
      unsubscribeUrl: expect.stringMatching(/^https:\/\/pharos\.test\/unsubscribe\?/),
      unsubscribeLabel: 'Turn off alert emails',
    });
    const incident = await database.db.incident.findUniqueOrThrow({ where: { id } });
    const { members } = await readNotified(story.ctx, incident);
    expect(members, 'the page of the incident shows the latest email').toHaveLength(1);
  });

  it('acknowledge with the link in an alert or a reminder; a recovery has none', async () => {
    const story = await begin();
    await story.check(FAILED);
    const [alert] = await story.pass(MINUTE);
    const [reminder] = await story.pass(30 * MINUTE);
    await acknowledgeByLink(story.services, linkIn(reminder), null);
    const acknowledged = await readLinkedIncidents(story.services, linkIn(alert));
    expect(acknowledged).toMatchObject([{ isUsed: true, acknowledgedBy: expect.stringContaining('@') }]);
    expect(await story.pass(HOUR)).toEqual([]);
    await story.check(OK);
    const [recovery] = await story.pass(MINUTE);
    expect(recovery?.subject).toBe('Shop is back up');
    expect(JSON.stringify(recovery)).not.toContain('/acknowledge');
  });

  it('get no such link if they may only read', async () => {
    const story = await begin();
    const { organizationId } = story;
    await database.db.membership.updateMany({ where: { organizationId }, data: { role: 'viewer' } });
    await story.check(FAILED);
    const [alert] = await story.pass(MINUTE);
    expect(alert?.subject).toBe('Shop is down');
    expect(JSON.stringify(alert)).not.toContain('/acknowledge');
  });

  it('are reminded of several incidents in one mail, also of those that are due soon', async () => {
    const story = await begin();
    await goDown(story);
    await story.addMonitor({ name: 'API', alertThreshold: 1 });
    await story.check(FAILED);
    expect(subjects(await story.pass(MINUTE))).toEqual(['API is down']);
    const [both, ...others] = await story.pass(28 * MINUTE);
    expect(others).toEqual([]);
    expect(both?.subject).toBe('2 monitors are still down');
    expect(both?.blocks[1]).toMatchObject({ list: [{ text: 'Shop' }, { text: 'API' }] });
  });

  it('are reminded a limited number of times', async () => {
    const story = await begin({ minutes: 1440 });
    await goDown(story);
    let last: MailContent | undefined;
    let count = 0;
    for (let day = 0; day < MAX_REMINDERS + 3; day++) {
      const [mail] = await story.pass(24 * HOUR);
      if (mail) [last, count] = [mail, count + 1];
    }
    expect(count).toBe(MAX_REMINDERS);
    expect(JSON.stringify(last?.blocks)).toContain('This is the last reminder.');
  });

  it('are not reminded where reminders are off, as they are by default', async () => {
    const story = await begin({ minutes: null });
    await goDown(story);
    expect(await story.pass(24 * HOUR)).toEqual([]);
    await story.setMinutes(60);
    expect(subjects(await story.pass(0))).toEqual(REMINDED);
    await story.setMinutes(null);
    expect(await story.pass(24 * HOUR)).toEqual([]);
  });

  it('who want no emails about alerts get no reminders', async () => {
    const story = await begin();
    await goDown(story);
    const { organizationId } = story;
    await database.db.membership.updateMany({ where: { organizationId }, data: { alertMail: false } });
    expect(await story.pass(HOUR)).toEqual([]);
  });
});

describe('reminders end', () => {
  it('when the monitor recovers', async () => {
    const story = await begin();
    await goDown(story);
    await story.check(OK);
    expect(subjects(await story.pass(HOUR))).toEqual(['Shop is back up']);
    expect(await story.pass(HOUR)).toEqual([]);
  });

  it('while the monitor is only degraded', async () => {
    const story = await begin();
    await goDown(story);
    await story.check(SLOW);
    expect(await story.pass(HOUR)).toEqual([]);
    await story.check(FAILED);
    expect(subjects(await story.pass(MINUTE))).toEqual(DOWN);
    expect(subjects(await story.pass(30 * MINUTE))).toEqual(REMINDED);
  });

  it('when a person resolves or deletes the incident, or pauses the monitor', async () => {
    const story = await begin();
    await updateIncident(story.ctx, await goDown(story), { status: 'resolved' });
    expect(await story.pass(HOUR)).toEqual([]);

    const other = await begin();
    await deleteIncident(other.ctx, await goDown(other));
    expect(await other.pass(HOUR)).toEqual([]);

    const paused = await begin();
    await goDown(paused);
    await updateMonitor(paused.ctx, paused.shop.id, { enabled: false });
    expect(await paused.pass(HOUR)).toEqual([]);
  });

  it('while there is no data', async () => {
    const story = await begin();
    await goDown(story);
    const where = { monitorId: story.shop.id, to: null };
    await database.db.statusPeriod.updateMany({ where, data: { state: 'unknown' } });
    expect(await story.pass(HOUR)).toEqual([]);
  });

  it('during maintenance, about which nobody is emailed', async () => {
    const story = await begin();
    await goDown(story);
    const at = (ms: number) => new Date(story.clock.now().getTime() + ms).toISOString();
    const window = {
      title: 'Upgrade',
      monitors: [story.shop.id],
      startsAt: at(MINUTE),
      endsAt: at(2 * HOUR),
    };
    await createMaintenance(story.ctx, createMaintenanceSchema.parse(window));
    story.clock.advance(2 * MINUTE);
    await runMaintenanceWindows(story.services);
    expect(await story.pass(HOUR)).toEqual([]);
  });
});

it('two workers send one', async () => {
  const story = await begin();
  await goDown(story);
  story.clock.advance(30 * MINUTE);
  const workers = Array.from({ length: 4 }, () => mailDueReminders(story.services, SETTINGS));
  await Promise.all(workers);
  expect(subjects(await story.pass(0))).toEqual(REMINDED);
});
