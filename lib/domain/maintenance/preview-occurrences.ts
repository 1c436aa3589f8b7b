import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { nextOccurrence, type Occurrence, type Schedule } from './occurrences';
import { requireSchedule } from './require-schedule';

const SHOWN = 3;

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
