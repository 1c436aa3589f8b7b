import { refText } from '@/lib/schemas/text';
import { type Rule, rulesNaming } from '@/lib/schemas/webhooks/rules';

/** The rules of an endpoint in a file: they name monitors by `ref` or ID. */
export const writtenRules = rulesNaming(refText);

type WrittenRule = Partial<Rule>;

/** The monitors that rules name. */
export function monitorsInRules(rules: unknown): string[] {
  return Array.isArray(rules) ? (rules as WrittenRule[]).flatMap(({ monitors }) => monitors ?? []) : [];
}

/** Rules with other names of monitors. */
export function renameInRules(rules: readonly unknown[], rename: (name: string) => string): unknown[] {
  return (rules as readonly WrittenRule[]).map(({ monitors, ...rule }) =>
    Array.isArray(monitors) ? { ...rule, monitors: monitors.map(rename) } : rule,
  );
}

/** Rules without conditions that are none, and schedules with days only if they are not every day. */
export function shortRules(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortRules);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([, part]) => part !== null && !(Array.isArray(part) && part.length === 0),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, shortRules(part)]));
}
