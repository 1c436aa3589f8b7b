import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import {
  addReportMail,
  listReportMails,
  MAX_REPORT_MAILS,
  nextReportAt,
  removeReportMail,
} from '@/lib/domain/reports/report-mails';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { reportQuerySchema } from '@/lib/schemas/reports/report';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { mailDueReports } from './mail-reports';

const HOUR = 3_600_000;
const database = useTestDatabase();
const clock = createManualClock(new Date('2026-11-05T12:00:00.000Z'));
const services = () => ({
  ...createTestServices({ db: database.db, clock, mail: true }),
  appUrl: 'https://pharos.test',
});
let mine: TestOrganization;

beforeEach(async () => {
  clock.set(new Date('2026-11-05T12:00:00.000Z'));
  await database.db.reportMail.deleteMany();
  mine = await createTestOrganization(services());
});

const queryOf = (query: Record<string, string> = {}) => reportQuerySchema.parse(query);
const subscribe = (query = {}, { ctx, userId } = mine) => addReportMail(ctx, userId, queryOf(query));

/** An organization's queued mails. */
async function listMails({ organizationId } = mine): Promise<(MailContent & { to: string })[]> {
  const mails = await database.db.mail.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
  return mails.map(({ id, recipient, contentSealed }) => {
    const content = services().keyring.open(contentSealed ?? new Uint8Array(), id);
    return { ...JSON.parse(content.toString()), to: recipient };
  });
}

/** A paused monitor that was down for this many hours of November. */
async function addMonitor(name: string, hours: number, tags: string[] = []) {
  const input = createMonitorSchema.parse({ name, url: 'http://shop.test', tags, enabled: false });
  const { id } = await createMonitor(mine.ctx, input);
  const from = new Date('2026-11-10T00:00:00.000Z');
  await writePeriods(database.db, id, [
    { state: 'operational', from: new Date('2026-10-01T00:00:00.000Z') },
    { state: 'down', from },
    { state: 'operational', from: new Date(from.getTime() + hours * HOUR) },
  ]);
  return id;
}

describe('a report by email', () => {
  it('is due on the morning after each month, by the clock of its time zone', () => {
    const due = (timeZone: string, now: string) => nextReportAt(timeZone, new Date(now)).toISOString();
    expect(due('UTC', '2026-11-05T12:00:00Z')).toBe('2026-12-01T07:00:00.000Z');
    expect(due('UTC', '2026-12-01T06:59:59Z')).toBe('2026-12-01T07:00:00.000Z');
    expect(due('UTC', '2026-12-01T07:00:00Z')).toBe('2027-01-01T07:00:00.000Z');
    expect(due('Europe/Berlin', '2026-11-05T12:00:00Z')).toBe('2026-12-01T06:00:00.000Z');
    expect(due('Europe/Berlin', '2027-06-05T12:00:00Z')).toBe('2027-07-01T05:00:00.000Z');
    expect(due('Pacific/Auckland', '2026-11-30T12:00:00Z')).toBe('2026-11-30T18:00:00.000Z');
  });

  it('contains the month before, with the lowest uptime first, and is sent once', async () => {
    await addMonitor('Blog', 0);
    const shop = await addMonitor('Shop', 4);
    await subscribe({ target: '99.95', timeZone: 'Europe/Berlin' });
    expect(await mailDueReports(services())).toBe(0);
    clock.set(new Date('2026-12-01T06:00:00.000Z'));
    const counts = await Promise.all([mailDueReports(services()), mailDueReports(services())]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await mailDueReports(services())).toBe(0);
    const [mail, ...others] = await listMails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Uptime in November 2026: 99.722%');
    expect(mail?.blocks).toEqual([
      {
        paragraph: '1 of 2 monitors missed the target of 99.95%. There was 1 outage with 4h of downtime.',
      },
      { heading: 'Lowest uptime first' },
      {
        list: [
          {
            text: 'Shop',
            detail: '99.444%. 4h of downtime in 1 outage. Error budget: 3h 38m over.',
            url: `https://pharos.test/monitors/${shop}`,
          },
          expect.objectContaining({ text: 'Blog', detail: '100%. No outages.' }),
        ],
      },
    ]);
    expect(mail?.button?.url).toBe(
      'https://pharos.test/reports?month=2026-11&timeZone=Europe%2FBerlin&target=99.95',
    );
    clock.set(new Date('2027-01-01T06:00:00.000Z'));
    await mailDueReports(services());
    expect((await listMails())[1]?.subject).toBe('Uptime in December 2026: 100%');
  });

  it('has what was measured next to figures that corrections change', async () => {
    const shop = await addMonitor('Shop', 4);
    await subscribe();
    clock.set(new Date('2026-12-01T07:00:00.000Z'));
    await createCorrection(mine.ctx, shop, {
      from: new Date('2026-11-10T00:00:00.000Z'),
      to: new Date('2026-11-10T03:00:00.000Z'),
      state: 'maintenance',
      reason: 'New disks',
    });
    await mailDueReports(services());
    const [mail] = await listMails();
    expect(mail?.subject).toBe('Uptime in November 2026: 99.860%');
    expect(JSON.stringify(mail?.blocks)).toContain('99.860% (corrected; 99.444% measured).');
  });

  it('covers only its tag', async () => {
    await addMonitor('Blog', 1);
    await addMonitor('Shop', 4, ['shop']);
    await subscribe({ tag: 'shop' });
    clock.set(new Date('2026-12-01T07:00:00.000Z'));
    await mailDueReports(services());
    expect((await listMails())[0]?.subject).toBe('Uptime of shop in November 2026: 99.444%');
  });

  it('is not sent once it was stopped, or its reader left', async () => {
    const other = await createTestOrganization(services());
    await subscribe();
    await subscribe({}, other);
    const [own] = await listReportMails(mine.ctx, mine.userId);
    await removeReportMail(other.ctx, other.userId, own?.id ?? '');
    expect(await listReportMails(mine.ctx, mine.userId)).toHaveLength(1);
    await removeReportMail(mine.ctx, mine.userId, own?.id ?? '');
    await database.db.membership.deleteMany({ where: { organizationId: other.organizationId } });
    clock.set(new Date('2026-12-01T07:00:00.000Z'));
    expect(await mailDueReports(services())).toBe(0);
  });

  it('that fails delays no other, and is retried in an hour', async () => {
    const other = await createTestOrganization(services());
    await subscribe();
    clock.set(new Date('2026-11-05T12:00:01.000Z'));
    await subscribe({}, other);
    // As if a later version had written it.
    await database.db.reportMail.updateMany({
      where: { organizationId: mine.organizationId },
      data: { timeZone: 'Mars/Olympus' },
    });
    clock.set(new Date('2026-12-01T07:00:00.000Z'));
    await expect(mailDueReports(services())).rejects.toThrow(/^could not mail the report rpm_/);
    expect(await listMails(other)).toHaveLength(1);
    expect(await mailDueReports(services())).toBe(0);
    clock.set(new Date('2026-12-01T08:00:00.000Z'));
    await expect(mailDueReports(services())).rejects.toThrow();
  });

  it('is received once, however often it is chosen, and ten at most', async () => {
    await subscribe({ tag: 'shop' });
    await subscribe({ tag: 'shop' });
    expect(await listReportMails(mine.ctx, mine.userId)).toMatchObject([{ tag: 'shop', target: 99.9 }]);
    for (let n = 1; n < MAX_REPORT_MAILS; n++) await subscribe({ tag: `tag ${n}` });
    await expect(subscribe()).rejects.toThrow('at most 10 reports by email');
  });

  it('is of no status page of another organization', async () => {
    await expect(subscribe({ statusPage: 'sp_of_others' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
