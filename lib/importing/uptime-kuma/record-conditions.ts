import { isRecord, looseText } from '../files/loose';
import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';

/** Records that Uptime Kuma and Pharos write alike. */
const PLAIN_TYPES = new Set(['A', 'AAAA', 'CNAME', 'NS']);

/**
 * Adds the condition on DNS records, of which one must satisfy it
 * (https://github.com/louislam/uptime-kuma/blob/master/server/monitor-types/dns.js). Of several conditions the same record has to
 * satisfy all, and a negative one is about any record: neither has a counterpart, so those are left out, and the reason is added.
 */
export function assertRecords(draft: Draft, conditions: readonly unknown[], type: string): void {
  if (conditions.length === 0) return;
  const why = addCondition(draft, conditions, type.toUpperCase());
  if (why !== null)
    draft.change(`The conditions on records are not imported: ${why}. Any record of the type is a success.`);
}

function addCondition(draft: Draft, conditions: readonly unknown[], type: string): string | null {
  const [condition, ...others] = conditions;
  if (others.length > 0 || !isRecord(condition) || condition.type !== 'expression') {
    return 'one record would have to satisfy several';
  }
  if (!PLAIN_TYPES.has(type)) return `Uptime Kuma compares parts of ${type} records`;
  const value = looseText.parse(condition.value) ?? '';
  const assertion = toComparison(looseText.parse(condition.operator) ?? '', value);
  if (assertion === null) return 'their operator has no counterpart';
  return addAssertions(draft, { source: 'record', ...assertion }) ? null : NO_SPACE;
}

function toComparison(operator: string, value: string) {
  switch (operator) {
    case 'equals':
    case 'contains':
      return { comparison: operator, target: value } as const;
    case 'starts_with':
      return { comparison: 'matches', target: `^${literal(value)}` } as const;
    case 'ends_with':
      return { comparison: 'matches', target: `${literal(value)}$` } as const;
    default:
      return null;
  }
}
