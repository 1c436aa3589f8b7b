import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { confirmImported } from '@/lib/domain/subscribers/import/confirm-imported';
import { announceStories } from '@/lib/engine/announcements/announce-stories';
import { decideHeld } from '@/lib/engine/announcements/decide-held';
import { endSteady } from '@/lib/engine/announcements/end-flapping';
import { releaseSuppressed } from '@/lib/engine/announcements/release-suppressed';
import type { NoticeSettings } from '@/lib/engine/mail/gather-notices';
import { mailDueDigests } from '@/lib/engine/mail/mail-digests';
import { mailDueReminders } from '@/lib/engine/mail/mail-reminders';
import { mailDueReports } from '@/lib/engine/upkeep/mail-reports';
import { publishDueIncidents } from '@/lib/engine/upkeep/publish-due-incidents';
import { resolveOrphanedIncidents } from '@/lib/engine/upkeep/resolve-orphaned-incidents';
import { runIncidentSchedule } from '@/lib/engine/upkeep/run-incident-schedule';
import { nextWindowChangeAt, runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';

/** What jobs run with. `notices`: how members are notified; null: email is off. */
export type JobServices = { services: Services & { log: Logger }; notices: NoticeSettings | null };

/** A job that time alone triggers, on every worker with all duties: of several, each piece of work is done by one. */
export type Job = {
  /** As the object of errors and the label of metrics. */
  name: string;
  /** It runs again this many milliseconds after it ended, or earlier at the moment that it returned. */
  everyMs: number;
  /** It also runs if the worker is woken, at most once in so many milliseconds; omitted: only by time. */
  wokenEveryMs?: number;
  /** Does what is due; a single statement or two if nothing is. Returns when the next work is due, if it knows. */
  run: (needs: JobServices) => Promise<unknown>;
};

/** How late work is at most that nothing wakes a worker for. */
const SOON = { everyMs: 2000 };
/** The API emits no events: the effects of what it wrote are handled here. */
const AFTER_CHANGES = { ...SOON, wokenEveryMs: 1000 };
/** People notice how late this is. */
const AT_ONCE = { ...SOON, wokenEveryMs: 200 };
const MINUTE = { everyMs: 60_000 };

/** Every job. A new one is a row. */
export const TIMETABLE: readonly Job[] = [
  { name: 'orphaned incidents', ...AFTER_CHANGES, run: ({ services }) => resolveOrphanedIncidents(services) },
  { name: 'incidents to publish', ...AFTER_CHANGES, run: ({ services }) => publishDueIncidents(services) },
  { name: 'incident schedule', ...AFTER_CHANGES, run: ({ services }) => runIncidentSchedule(services) },
  { name: 'suppressed announcements', ...AFTER_CHANGES, run: ({ services }) => releaseSuppressed(services) },
  { name: 'held announcements', ...AT_ONCE, run: ({ services }) => decideHeld(services) },
  { name: 'stories', ...AT_ONCE, run: ({ services }) => announceStories(services) },
  { name: 'flapping monitors', ...AT_ONCE, run: ({ services }) => endSteady(services) },
  { name: 'maintenance windows', ...AT_ONCE, run: ({ services }) => runWindows(services) },
  {
    name: 'reminders',
    ...SOON,
    run: async ({ services, notices }) => notices && mailDueReminders(services, notices),
  },
  { name: 'confirmations of imports', ...SOON, run: ({ services }) => confirmImported(services) },
  { name: 'reports', ...MINUTE, run: ({ services }) => mailDueReports(services) },
  { name: 'digests', ...MINUTE, run: ({ services }) => mailDueDigests(services) },
];

async function runWindows(services: JobServices['services']): Promise<Date | null> {
  await runMaintenanceWindows(services);
  return nextWindowChangeAt(services);
}
