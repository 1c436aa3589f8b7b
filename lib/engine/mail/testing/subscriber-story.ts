import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { addIncidentUpdate } from '@/lib/domain/incidents/schedule/schedule-update';
import { createMaintenance } from '@/lib/domain/maintenance/create-maintenance';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { beginStory } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { createIncidentSchema, createIncidentUpdateSchema } from '@/lib/schemas/incidents/incident';
import { createMaintenanceSchema } from '@/lib/schemas/maintenance';
import { mailDuePageNotices } from '../mail-page-notices';

export const SETTINGS = { groupSeconds: 60, appUrl: 'https://pharos.test' };
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A published page named Acme with one monitor, `subscribers` confirmed subscribers, and one unconfirmed. */
export async function beginSubscriberStory(
  db: Database,
  { subscribers = 1, page: fields = {} }: { subscribers?: number; page?: object } = {},
) {
  const story = await beginStory(db, { mail: true });
  const monitor = await story.addMonitor({ alertThreshold: 1 });
  const page = await addPage(story.ctx, { published: true, monitors: [monitor.id], ...fields });
  const now = story.clock.now();
  const add = (confirmedAt: Date | null) => {
    const id = createId('subscriber');
    const email = `${id}@example.com`;
    const at = { requestedAt: now, confirmedAt, createdAt: now };
    const tokenHash = randomBytes(32);
    return { id, pageId: page.id, email, language: 'en', tokenHash, ...at };
  };
  const confirmed = Array.from({ length: subscribers }, () => add(now));
  await db.pageSubscriber.createMany({ data: [...confirmed, add(null)] });
  return {
    ...story,
    monitor,
    page,
    recipients: confirmed.map(({ email }) => email).toSorted(),
    mail: () => mailDuePageNotices(story.services, SETTINGS),
    incident: (body: object = {}) =>
      createIncident(
        story.ctx,
        createIncidentSchema.parse({ title: 'Slow', affectedMonitors: [monitor.id], ...body }),
      ),
    update: (id: string, body: object) =>
      addIncidentUpdate(story.ctx, id, createIncidentUpdateSchema.parse(body)),
    plan: (from: number, to: number, body: object = {}) => {
      const at = (ms: number) => new Date(story.clock.now().getTime() + ms).toISOString();
      return createMaintenance(
        story.ctx,
        createMaintenanceSchema.parse({
          title: 'Upgrade',
          monitors: [monitor.id],
          startsAt: at(from),
          endsAt: at(to),
          ...body,
        }),
      );
    },
    /** The mails queued for subscribers, sorted by address. */
    mails: async () => {
      const where = { organizationId: story.organizationId, kind: 'subscriber' };
      const mails = await db.mail.findMany({ where, orderBy: [{ id: 'asc' }] });
      return mails.map(({ id, recipient, contentSealed, priority }) => {
        const sealed = story.services.keyring.open(contentSealed ?? new Uint8Array(), id);
        return { recipient, priority, content: JSON.parse(sealed) as MailContent };
      });
    },
    /** Advances the clock, mails what is due, and returns the new subjects. */
    newSubjects: async function newSubjects(this: void, ms = MINUTE) {
      const before = await db.mail.findMany({ select: { id: true } });
      story.clock.advance(ms);
      await mailDuePageNotices(story.services, SETTINGS);
      const known = before.map(({ id }) => id);
      const where = { organizationId: story.organizationId, kind: 'subscriber', id: { notIn: known } };
      const mails = await db.mail.findMany({ where, orderBy: { id: 'asc' } });
      return mails.map(
        ({ id, contentSealed }) =>
          (JSON.parse(story.services.keyring.open(contentSealed ?? new Uint8Array(), id)) as MailContent)
            .subject,
      );
    },
  };
}
