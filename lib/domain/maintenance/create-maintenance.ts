import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { wallTime } from '@/lib/core/zoned-time';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/change-selected';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { CreateMaintenance, Maintenance } from '@/lib/schemas/maintenance';
import { maintenanceNotice } from './notify-subscribers';
import { listOccurrences, nextOccurrence, type Occurrence, type Schedule } from './occurrences';
import { maintenanceInclude, serializeMaintenance, subjectOf } from './read-maintenance';

const HOUR = 3_600_000;

const MAX_MS = 31 * 24 * HOUR;

/** A rule is held to its first occurrences: a year of a weekly one. */
const LOOKED_AT = 100;

const SHOWN = 3;

/**
 * Makes a maintenance window; the engine begins one that has started already within a second. Throws FORBIDDEN,
 * UNKNOWN_MONITOR, and VALIDATION_ERROR for moments that do not fit each other or are all past.
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
  const first = nextOccurrence(input, now);
  if (first === null) throw invalid(input.rrule === null ? 'endsAt' : 'rrule', 'must end in the future');
  return ctx.db.$transaction(async (tx) => {
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
    const made = serializeMaintenance(row, now);
    if (first.startsAt > now) {
      const notice = maintenanceNotice('maintenance.planned', { ...row, monitors, ...first }, now);
      await writePageNotices(tx, ctx, [notice]);
    }
    await recordAudit(tx, ctx, { action: 'maintenance.create', subject: subjectOf(made), after: made });
    await notePagesChanged(tx, { monitorIds: monitors });
    await notify(tx, 'pharos_deliveries');
    return made;
  });
}

/** The current occurrence and those after it, three at most, of a window that is not made yet. Throws as making it would. */
export function previewOccurrences(ctx: OrganizationContext, schedule: Schedule): Occurrence[] {
  requirePermission(ctx, 'maintenance.create');
  requireSchedule(schedule);
  const shown: Occurrence[] = [];
  let after = ctx.clock.now();
  while (shown.length < SHOWN) {
    const next = nextOccurrence(schedule, after);
    if (next === null) break;
    shown.push(next);
    after = next.endsAt;
  }
  return shown;
}

/**
 * Refuses (VALIDATION_ERROR, naming the field) a window that ends before it starts or lasts more than 31 days, and a rule
 * that never comes again, is denser than hourly, or comes again while the window still lasts.
 */
export function requireSchedule(schedule: Schedule): void {
  const duration = schedule.endsAt.getTime() - schedule.startsAt.getTime();
  if (duration <= 0) throw invalid('endsAt', 'must be after startsAt');
  if (duration > MAX_MS) throw invalid('endsAt', 'must be at most 31 days after startsAt');
  if (schedule.rrule === null) return;
  const starts = listOccurrences(byTheClocks(schedule), LOOKED_AT).map(({ startsAt }) => startsAt.getTime());
  if (starts.length < 2) throw invalid('rrule', 'never comes again after the start');
  const shortest = Math.min(...starts.slice(1).map((start, index) => start - (starts[index] ?? start)));
  if (shortest < HOUR) throw invalid('rrule', 'must not come more than once an hour');
  if (shortest < duration) throw invalid('rrule', 'must not come again before the window has ended');
}

/** The refusal of one field of a window. */
function invalid(path: string, message: string): DomainError {
  return new DomainError('VALIDATION_ERROR', `The request is not valid: ${path}.`, [
    { path, code: 'invalid', message },
  ]);
}

/** The same in a zone that never changes its clocks: what is refused does not depend on the season. */
function byTheClocks({ startsAt, endsAt, rrule, timeZone }: Schedule): Schedule {
  const ahead = wallTime(startsAt.getTime(), timeZone) - startsAt.getTime();
  const shift = (at: Date) => new Date(at.getTime() + ahead);
  return { startsAt: shift(startsAt), endsAt: shift(endsAt), rrule, timeZone: 'UTC' };
}
