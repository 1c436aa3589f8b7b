import { hasFieldGroup } from '@/lib/checks/types';
import { withoutSecrets } from '@/lib/core/addresses';
import { describeField, FIELD_NAMES } from '@/lib/schemas/monitor/fields';
import type { ImportedChange, ImportResult } from '@/lib/schemas/monitor/import';
import { listOf, shown } from './sentences';

/** What an import does or would do to a monitor, as lines: what changes, and which stored secrets are kept or removed. */
export function formatResult({
  changes,
  kept,
  dropped,
}: Pick<ImportResult, 'changes' | 'kept' | 'dropped'>): string[] {
  const type = changes.find(({ field }) => field === 'type');
  const isCalled = type !== undefined && hasFieldGroup(String(type.before), 'calls');
  return [
    ...changes.filter(({ field }) => type === undefined || isOf(String(type.after), field)).map(formatChange),
    ...(isCalled ? ['Its heartbeat URL stops working: calls of its job are no longer received.'] : []),
    ...(kept.length > 0 ? [`Not in the file, and kept: ${listOf(kept.map(shown))}.`] : []),
    ...(dropped.length > 0
      ? [`Not in the file, and removed because the host changes: ${listOf(dropped.map(shown))}.`]
      : []),
  ];
}

/** A change as programs get it, without secrets in URLs. */
export function maskChange(change: ImportedChange): ImportedChange {
  const mask = (value: unknown) => (typeof value === 'string' ? showTarget(value) : value);
  return change.field === 'url'
    ? { ...change, before: mask(change.before), after: mask(change.after) }
    : change;
}

/** A target as it may be shown: only the query of an HTTP URL can be secret; that of a DNS target is its record type. */
export function showTarget(url: string): string {
  return /^https?:/i.test(url) ? withoutSecrets(url) : url;
}

/** Whether a field means something for monitors of a type. Where the type changes, the others only return to their defaults. */
function isOf(type: string, field: string): boolean {
  const group = findField(field)?.group;
  return group === undefined || hasFieldGroup(type, group);
}

function findField(field: string) {
  const name = FIELD_NAMES.find((each) => each === field);
  return name && describeField(name);
}

/** What an import changes in a field: `Interval: 60 → 30`. */
function formatChange(change: ImportedChange): string {
  const { field, overwritesChange } = change;
  const described = findField(field);
  const text = described?.secret ? formatSecret(change) : formatValues(change);
  return `${described?.form.label ?? field}: ${text}${overwritesChange ? ' (overwrites your change)' : ''}`;
}

function formatSecret({ before, after }: ImportedChange): string {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'another value';
}

/** Values that look alike, because a part of them is not shown, are not repeated. */
function formatValues({ field, before, after }: ImportedChange): string {
  const [from, to] = [formatValue(before), formatValue(after)];
  if (from !== to) return `${from} → ${to}`;
  return field === 'url' ? `${to} (another query)` : 'another value';
}

function formatValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  return shown(typeof value === 'string' ? showTarget(value) : JSON.stringify(value));
}
