import { invalidField } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { wallTime } from '@/lib/core/time/zoned-time';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, lockOwnStates } from '@/lib/domain/monitors/change-selected';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { CreateMaintenance, Maintenance } from '@/lib/schemas/maintenance';
import { enterAfterwards, isOver } from './enter-afterwards';
import { maintenanceNotice } from './notify-subscribers';
import { listOccurrences, nextOccurrence, type Occurrence, type Schedule } from './occurrences';
import { maintenanceInclude, serializeMaintenance, subjectOf } from './read-maintenance';

const HOUR = 3_600_000;
const MAX_MS = 31 * 24 * HOUR;
/** How many occurrences of a rule are validated: almost two years of a weekly one. */
const MAX_VALIDATED = 100;
const MAX_PREVIEWED = 3;

/**
 * Creates a maintenance window; if it has already started, the engine activates it within a second. One that is over, and does not
 * recur, corrects what its time counts as, and nobody is notified. Throws FORBIDDEN, UNKNOWN_MONITOR, and VALIDATION_ERROR for times that
 * are inconsistent, recur only in the past, or cannot be corrected.
 */
export async function createMaintenance(
  ctx: OrganizationContext,
  input: CreateMaintenance,
): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.create');
  const { organizationId } = ctx;
  const { monitors, ...columns } = input;
  const now = ctx.clock.now();
  requireSchedule(input);
  const isPast = isOver(input, now);
  const first = isPast ? pastOccurrence(input) : nextOccurrence(input, now);
  if (first === null) throw invalidField('rrule', 'must end in the future');
  return ctx.db.$transaction(async (tx) => {
    if (isPast) await lockOwnStates(tx, ctx, monitors);
    await requireMonitors(tx, organizationId, monitors);
    const row = await tx.maintenanceWindow.create({
      data: {
        id: createId('maintenance'),
        organizationId,
        ...columns,
        createdAt: now,
        updatedAt: now,
        monitors: { createMany: { data: inOrder(monitors) } },
        occurrences: { create: first },
      },
      include: maintenanceInclude,
    });
    const window = serializeMaintenance(row, now);
    if (isPast) await enterAfterwards(tx, ctx, { ...row, monitors });
    if (first.startsAt > now) {
      const notice = maintenanceNotice('maintenance.planned', { ...window, organizationId, ...first }, now);
      await writePageNotices(tx, ctx, [notice]);
    }
    await recordAudit(tx, ctx, { action: 'maintenance.create', subject: subjectOf(window), after: window });
    await notePagesChanged(tx, { monitorIds: monitors });
    await notify(tx, 'pharos_deliveries');
    return window;
  });
}

/** The engine has nothing to do with it. */
function pastOccurrence({ startsAt, endsAt }: Schedule) {
  return { startsAt, endsAt, endedAt: endsAt };
}

/** The current and next occurrences, at most three, of a window to be created. Throws as `createMaintenance` does. */
export function previewOccurrences(ctx: OrganizationContext, schedule: Schedule): Occurrence[] {
  requirePermission(ctx, 'maintenance.create');
  requireSchedule(schedule);
  const shown: Occurrence[] = [];
  let after = ctx.clock.now();
  while (shown.length < MAX_PREVIEWED) {
    const next = nextOccurrence(schedule, after);
    if (next === null) break;
    shown.push(next);
    after = next.endsAt;
  }
  return shown;
}

/**
 * Throws VALIDATION_ERROR for a window that ends before it starts or lasts more than 31 days, and for a rule that never
 * recurs, recurs more than hourly, or recurs before the window has ended.
 */
export function requireSchedule(schedule: Schedule): void {
  const duration = schedule.endsAt.getTime() - schedule.startsAt.getTime();
  if (duration <= 0) throw invalidField('endsAt', 'must be after the start');
  if (duration > MAX_MS) throw invalidField('endsAt', 'must be at most 31 days after the start');
  if (schedule.rrule === null) return;
  const occurrences = listOccurrences(inLocalTime(schedule), MAX_VALIDATED);
  const starts = occurrences.map(({ startsAt }) => startsAt.getTime());
  if (starts.length < 2) throw invalidField('rrule', 'never recurs after the start');
  const shortest = Math.min(...starts.slice(1).map((start, index) => start - (starts[index] ?? start)));
  if (shortest < HOUR) throw invalidField('rrule', 'must not recur more than once an hour');
  if (shortest < duration) throw invalidField('rrule', 'must not recur before the window has ended');
}

/** The same local times in UTC, so that validation does not depend on daylight saving changes. */
function inLocalTime({ startsAt, endsAt, rrule, timeZone }: Schedule): Schedule {
  const ahead = wallTime(startsAt.getTime(), timeZone) - startsAt.getTime();
  const shift = (at: Date) => new Date(at.getTime() + ahead);
  return { startsAt: shift(startsAt), endsAt: shift(endsAt), rrule, timeZone: 'UTC' };
}
