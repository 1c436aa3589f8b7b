import { withoutSecrets } from '@/lib/core/addresses';
import { describeField, FIELD_NAMES } from '@/lib/schemas/monitor/fields';
import type { ImportedChange } from '@/lib/schemas/monitor/import';
import { listOf, shown } from './sentences';

/** What an import changes in a field: `Interval: 60 → 30`. */
export function formatChange({ field, before, after, overwritesChange }: ImportedChange): string {
  const name = FIELD_NAMES.find((each) => each === field);
  const described = name && describeField(name);
  const change = described?.secret ? 'another value' : `${formatValue(before)} → ${formatValue(after)}`;
  return `${described?.form.label ?? field}: ${change}${overwritesChange ? ' (overwrites your change)' : ''}`;
}

/** The stored secrets that an import keeps. */
export function formatKept(kept: readonly string[]): string[] {
  return kept.length > 0 ? [`Not in the file, and kept: ${listOf(kept.map(shown))}.`] : [];
}

function formatValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  return shown(typeof value === 'string' ? withoutSecrets(value) : JSON.stringify(value));
}
