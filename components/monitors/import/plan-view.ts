import type { ImportedMonitor } from '@/lib/importing/plan/plan';

/** The parts of a plan that can be shown alone. */
export const PARTS = {
  all: { label: 'All', has: () => true },
  same: {
    label: 'Without differences',
    has: ({ monitor, changes }: ImportedMonitor) => monitor !== null && changes.length === 0,
  },
  changed: {
    label: 'With differences',
    has: ({ monitor, changes }: ImportedMonitor) => monitor !== null && changes.length > 0,
  },
  impossible: { label: 'Cannot be imported', has: ({ monitor }: ImportedMonitor) => monitor === null },
} as const;
export type PlanPart = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PlanPart[];

/** A monitor of the plan with its place in the file, which identifies it. */
export type PlanItem = ImportedMonitor & { index: number };

/** The items of a part. */
export function itemsOf(items: readonly PlanItem[], part: PlanPart): PlanItem[] {
  return items.filter(PARTS[part].has);
}

/** `3 of 5 monitors can be imported, 1 of them with differences.` */
export function describeItems(items: readonly PlanItem[]): string {
  const changed = itemsOf(items, 'changed').length;
  const possible = itemsOf(items, 'same').length + changed;
  const monitors = items.length === 1 ? '1 monitor' : `${items.length} monitors`;
  return `${possible} of ${monitors} can be imported${changed > 0 ? `, ${changed} of them with differences` : ''}.`;
}
