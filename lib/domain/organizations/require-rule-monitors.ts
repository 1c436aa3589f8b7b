import type { Transaction } from '@/lib/platform/db/client';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import { lockOwnMonitors, requireKnownMonitors } from './require-monitors';

/**
 * Throws UNKNOWN_MONITOR, with a detail for each, for monitors in rules that the organization does not have. Those that the `stored` rules
 * name are not checked: rules keep the IDs of deleted monitors.
 */
export async function requireRuleMonitors(
  tx: Transaction,
  organizationId: string,
  rules: readonly Rule[],
  stored: readonly Rule[] = [],
): Promise<void> {
  const named = rules.flatMap(({ monitors }, rule) =>
    monitors.map((id, index) => ({ id, path: `rules.${rule}.monitors.${index}` })),
  );
  const known = new Set(stored.flatMap(({ monitors }) => monitors));
  const added = named.map(({ id }) => id).filter((id) => !known.has(id));
  if (added.length === 0) return;
  const own = await lockOwnMonitors(tx, organizationId, added);
  requireKnownMonitors(
    named.map(({ id }) => id),
    new Set([...known, ...own]),
    named.map(({ path }) => path),
  );
}
