import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { confirmationsDueAt, confirmImported } from '@/lib/domain/subscribers/import/confirm-imported';
import { announceStories, storiesDueAt } from '@/lib/engine/announcements/announce-stories';
import { decideHeld, heldDueAt } from '@/lib/engine/announcements/decide-held';
import { endSteady, flappingDueAt } from '@/lib/engine/announcements/end-flapping';
import { releaseSuppressed, suppressedDueAt } from '@/lib/engine/announcements/release-suppressed';
import { groupsDueAt, judgeGroups } from '@/lib/engine/groups/judge-groups';
import type { NoticeSettings } from '@/lib/engine/mail/gather-notices';
import { mailDueDigests } from '@/lib/engine/mail/mail-digests';
import { mailDueReminders, remindersDueAt } from '@/lib/engine/mail/mail-reminders';
import { analyzeGrown } from '@/lib/engine/upkeep/analyze-grown';
import { mailDueReports } from '@/lib/engine/upkeep/mail-reports';
import { publicationsDueAt, publishDueIncidents } from '@/lib/engine/upkeep/publish-due-incidents';
import { orphanedDueAt, resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { incidentScheduleDueAt, runIncidentSchedule } from '@/lib/engine/upkeep/run-incident-schedule';
import {
  nextWindowChangeAt,
  runMaintenanceWindows,
  windowsDueAt,
} from '@/lib/engine/upkeep/run-maintenance-windows';
import { Prisma } from '@/lib/platform/db/generated/client';

/** What jobs run with. `notices`: how members are notified; null: this worker sends no email. */
export type JobServices = { services: Services & { log: Logger }; notices: NoticeSettings | null };

/** A job that time alone triggers, on every worker with all duties: of several, each piece of work is done by one. */
export type Job = {
  /** As the object of errors and the label of metrics. */
  name: string;
  /** It runs at every multiple of this many milliseconds, or earlier at the moment that it returned. */
  everyMs: number;
  /** It also runs if the worker is woken, at most once in so many milliseconds; omitted: only by time. */
  wokenEveryMs?: number;
  /**
   * When its next work is due, as an expression of SQL that reads little, null if none is: it does not run before. Those of several jobs are
   * read by one statement. Omitted: it runs each time.
   */
  dueAt?: (now: Date, needs: JobServices) => Prisma.Sql;
  /** Does what is due. Returns when the next work is due, if it knows. */
  run: (needs: JobServices) => Promise<unknown>;
};

/** How late work is at most that nothing wakes a worker for. */
const SOON = { everyMs: 2000 };
/** The API emits no events: the effects of what it wrote are handled here. */
const AFTER_CHANGES = { ...SOON, wokenEveryMs: 1000 };
/** People notice how late this is. */
const AT_ONCE = { ...SOON, wokenEveryMs: 200 };
const MINUTE = { everyMs: 60_000 };
const NEVER = Prisma.sql`NULL`;

/** Every job. A new one is a row. */
export const TIMETABLE: readonly Job[] = [
  {
    name: 'groups',
    ...AT_ONCE,
    dueAt: groupsDueAt,
    run: ({ services }) => judgeGroups(services),
  },
  {
    name: 'orphaned incidents',
    ...AFTER_CHANGES,
    dueAt: orphanedDueAt,
    run: ({ services }) => resolveOrphanedIncidents(services),
  },
  {
    name: 'incidents to publish',
    ...AFTER_CHANGES,
    dueAt: publicationsDueAt,
    run: ({ services }) => publishDueIncidents(services),
  },
  {
    name: 'incident schedule',
    ...AFTER_CHANGES,
    dueAt: () => incidentScheduleDueAt,
    run: ({ services }) => runIncidentSchedule(services),
  },
  {
    name: 'suppressed announcements',
    ...AFTER_CHANGES,
    dueAt: suppressedDueAt,
    run: ({ services }) => releaseSuppressed(services),
  },
  {
    name: 'held announcements',
    ...AT_ONCE,
    dueAt: () => heldDueAt,
    run: ({ services }) => decideHeld(services),
  },
  {
    name: 'stories',
    ...AT_ONCE,
    dueAt: () => storiesDueAt,
    run: ({ services }) => announceStories(services),
  },
  {
    name: 'flapping monitors',
    ...AT_ONCE,
    dueAt: () => flappingDueAt,
    run: ({ services }) => endSteady(services),
  },
  {
    name: 'maintenance windows',
    ...AT_ONCE,
    dueAt: windowsDueAt,
    run: ({ services }) => runWindows(services),
  },
  {
    name: 'reminders',
    ...SOON,
    dueAt: (now, { services, notices }) => (notices !== null ? remindersDueAt(now, services) : NEVER),
    run: async ({ services, notices }) => notices && mailDueReminders(services, notices),
  },
  {
    name: 'confirmations of imports',
    ...SOON,
    dueAt: (now, { services }) => (services.mail.isOn ? confirmationsDueAt(services, now) : NEVER),
    run: ({ services }) => confirmImported(services),
  },
  { name: 'statistics', everyMs: 10_000, run: ({ services }) => analyzeGrown(services) },
  { name: 'reports', ...MINUTE, run: ({ services }) => mailDueReports(services) },
  { name: 'digests', ...MINUTE, run: ({ services }) => mailDueDigests(services) },
];

async function runWindows(services: JobServices['services']): Promise<Date | null> {
  await runMaintenanceWindows(services);
  return nextWindowChangeAt(services);
}
