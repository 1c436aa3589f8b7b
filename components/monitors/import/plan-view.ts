import type { ImportedMonitor } from '@/lib/importing/plan/plan';
import type { ImportOutcome } from './outcome';

/** A monitor of the plan with its place in the file, which identifies it, and what an import would do as far as it is known. */
export type PlanItem = ImportedMonitor & { index: number; planned?: ImportOutcome };

const isPlanned =
  (action: ImportOutcome['action']) =>
  ({ planned }: PlanItem) =>
    planned?.action === action;

/** The parts of a plan that can be shown alone. */
export const PARTS = {
  all: { label: 'All', has: () => true },
  created: { label: 'New', has: isPlanned('create') },
  changed: { label: 'Changes', has: isPlanned('change') },
  unchanged: { label: 'Unchanged', has: isPlanned('none') },
  rejected: { label: 'Would be rejected', has: isPlanned('rejected') },
  different: {
    label: 'With differences',
    has: ({ monitor, changes }: PlanItem) => monitor !== null && changes.length > 0,
  },
  impossible: { label: 'Cannot be imported', has: ({ monitor }: PlanItem) => monitor === null },
} as const;
export type PlanPart = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PlanPart[];

/** The items of a part. */
export function itemsOf(items: readonly PlanItem[], part: PlanPart): PlanItem[] {
  return items.filter(PARTS[part].has);
}

/** Whether a monitor can be imported, as far as it is known. */
export function isImportable({ monitor, planned }: PlanItem): boolean {
  return monitor !== null && planned?.action !== 'rejected';
}

/** `3 of 5 monitors can be imported, 1 of them with differences.` */
export function describeItems(items: readonly PlanItem[]): string {
  const importable = items.filter(isImportable);
  const different = itemsOf(importable, 'different').length;
  const possible = importable.length;
  const monitors = items.length === 1 ? '1 monitor' : `${items.length} monitors`;
  return `${possible} of ${monitors} can be imported${different > 0 ? `, ${different} of them with differences` : ''}.`;
}
