import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { type Rule, WEEKDAYS } from '@/lib/schemas/webhooks/rules';

/** What the conditions of a rule can be chosen from. */
export type RuleChoices = {
  monitors: readonly { id: string; name: string; tags: readonly string[] }[];
  timeZones: readonly string[];
};

/** A rule of a new row: without any condition yet. */
export const EMPTY_RULE: Rule = { tags: [], monitors: [], severities: [], kinds: [], schedule: null };

const nameOfDay = (day: string) => `${day.charAt(0).toUpperCase()}${day.slice(1, 3)}`;

/** The days of the week by value, with short names. */
export const DAYS = WEEKDAYS.map((value) => ({ value, label: nameOfDay(value) }));

const SEVERITIES = { minor: 'Minor', major: 'Major', critical: 'Critical' } as const;
export const SEVERITY_OPTIONS = (['minor', 'major', 'critical'] as const).map((value) => ({
  value,
  label: SEVERITIES[value],
}));

/** What members are emailed about. */
const MEMBER_KIND_TEXTS: Partial<Record<EventKind, string>> = {
  'monitor.down': 'Outages',
  'monitor.up': 'Recoveries',
};

/** What rules call an event: its name, or for members what they are emailed about. */
export function kindLabel(kind: EventKind, isMember: boolean): string {
  return (isMember ? MEMBER_KIND_TEXTS[kind] : undefined) ?? kind;
}

/** The conditions of a rule in a line: `tag shop or eu · Shop · critical · Mon, Tue 08:00–18:00 (Europe/Berlin)`. */
export function formatRule(rule: Rule, names: ReadonlyMap<string, string>, isMember = false): string {
  const { tags, monitors, severities, kinds, schedule } = rule;
  const listed = monitors.map((id) => names.get(id) ?? 'a deleted monitor');
  const parts = [
    tags.length > 0 ? `${tags.length === 1 ? 'tag' : 'tags'} ${anyOf(tags)}` : null,
    listed.length > 0 ? anyOf(listed) : null,
    severities.length > 0 ? anyOf(severities) : null,
    kinds.length > 0 ? anyOf(kinds.map((kind) => kindLabel(kind, isMember))) : null,
    schedule === null ? null : formatSchedule(schedule),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** More items are counted. */
const MAX_NAMED = 3;

function anyOf(items: readonly string[]): string {
  const left = items.length - MAX_NAMED;
  const shown = left > 0 ? [...items.slice(0, MAX_NAMED), `${left} more`] : items;
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(shown);
}

function formatSchedule({ days, from, to, timeZone }: NonNullable<Rule['schedule']>): string {
  const on = days.length === 0 || days.length === DAYS.length ? 'daily' : days.map(nameOfDay).join(', ');
  return `${on} ${from}–${to} (${timeZone.replaceAll('_', ' ')})`;
}
