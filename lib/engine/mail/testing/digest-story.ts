import { createId } from '@/lib/core/ids';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { changeMailPreferences } from '@/lib/domain/people/mail-preferences';
import type { Database } from '@/lib/platform/db/client';
import { type MailContent, mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A Wednesday, and the Monday after it. */
export const START = new Date('2026-11-25T12:00:00.000Z');
export const MONDAY = new Date('2026-11-30T08:00:00.000Z');

/** An organization on `db` with one member, on a Wednesday. Use a separate database. */
export async function beginDigestStory(db: Database, clock = createManualClock(START)) {
  const servicesOn = (db: Database) => ({
    ...createTestServices({ db, clock, mail: true }),
    appUrl: 'https://pharos.test',
  });
  const services = servicesOn(db);
  const { ctx, userId, organizationId } = await createTestOrganization(services);
  /** Turns the digest on in a time zone, or off. */
  const choose = (digestTimeZone: string | null = 'UTC', id = userId) =>
    changeMailPreferences(ctx, id, { digestTimeZone });
  return {
    clock,
    services,
    servicesOn,
    userId,
    organizationId,
    choose,
    /** The queued digests. */
    listMails: async (): Promise<(MailContent & { to: string })[]> => {
      const where = { organizationId, kind: 'digest' };
      const mails = await db.mail.findMany({ where, orderBy: { id: 'asc' } });
      return mails.map(({ id, recipient, contentSealed }) => {
        const content = services.keyring.open(contentSealed ?? new Uint8Array(), id);
        return { ...mailContentSchema.parse(JSON.parse(content)), to: recipient };
      });
    },
    /** A monitor that was down for this many hours of the week before MONDAY. */
    addMonitor: async (name: string, hours = 0): Promise<string> => {
      const input = createMonitorSchema.parse({ name, url: 'http://shop.test', enabled: false });
      const { id } = await createMonitor(ctx, input);
      const from = new Date('2026-11-26T00:00:00.000Z');
      const to = new Date(from.getTime() + hours * HOUR);
      const outage = [
        { state: 'down' as const, from },
        { state: 'operational' as const, from: to },
      ];
      const since = new Date('2026-11-01T00:00:00.000Z');
      await writePeriods(db, id, [{ state: 'operational', from: since }, ...(hours > 0 ? outage : [])]);
      return id;
    },
    /** Another member, who chose the digest. */
    addMember: async (timeZone: string): Promise<void> => {
      const [id, now] = [createId('user'), clock.now()];
      const user = { id, email: `${id}@example.com`, passwordHash: '', createdAt: now, updatedAt: now };
      const memberships = { create: { organizationId, role: 'viewer' as const, createdAt: now } };
      await db.user.create({ data: { ...user, memberships } });
      await choose(timeZone, id);
    },
    /** An incident that lasted this many hours; null: it is still open. */
    addIncident: async (title: string, from: Date, hours: number | null): Promise<void> => {
      const resolvedAt = hours === null ? null : new Date(from.getTime() + hours * HOUR);
      const times = { startedAt: from, createdAt: from, updatedAt: from, resolvedAt };
      const rest = { description: '', severity: 'major' as const, automatic: false, affectedMonitors: [] };
      const status = resolvedAt === null ? ('investigating' as const) : ('resolved' as const);
      const id = createId('incident');
      await db.incident.create({ data: { id, organizationId, title, status, ...rest, ...times } });
    },
  };
}

export type DigestStory = Awaited<ReturnType<typeof beginDigestStory>>;
