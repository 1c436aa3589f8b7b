import { wallTime } from '@/lib/core/time/zoned-time';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { coversMonitor, type Rule, WEEKDAYS } from '@/lib/schemas/webhooks/rules';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** What rules decide about. */
export type Subject = {
  kind: EventKind;
  /** Of the incident; null if there is none. */
  severity: Rule['severities'][number] | null;
  /** The monitors that it is about. A deleted one has no tags. */
  monitors: readonly { id: string; tags: readonly string[] }[];
};

/** Why a listener with rules is notified: a rule that matches, or an earlier notification of the same incident. */
export type Match = { by: 'everything' } | { by: 'rule'; index: number } | { by: 'incident' };

/** What ends an outage for those who were notified of it. */
const ENDINGS: readonly EventKind[] = ['monitor.up', 'incident.resolved'];

/**
 * Whether a listener with these rules is notified of something at a time (epoch milliseconds), and why; null: it is not. Without rules,
 * it is notified of everything. One that was already notified of the incident gets the rest: its end always, and other kinds of events
 * unless its rules exclude them.
 */
export function matchRules(
  rules: readonly Rule[],
  subject: Subject,
  at: number,
  { knowsIncident = false } = {},
): Match | null {
  if (rules.length === 0) return { by: 'everything' };
  const index = rules.findIndex((rule) => matches(rule, subject, at));
  if (index >= 0) return { by: 'rule', index };
  if (!knowsIncident) return null;
  const isWanted = ENDINGS.includes(subject.kind) || rules.some((rule) => wants(rule.kinds, subject.kind));
  return isWanted ? { by: 'incident' } : null;
}

function matches({ severities, kinds, schedule, ...about }: Rule, subject: Subject, at: number): boolean {
  const { severity } = subject;
  return (
    wants(kinds, subject.kind) &&
    (severities.length === 0 || (severity !== null && severities.includes(severity))) &&
    // What affects no monitor is not about one.
    (coversAll(about) || subject.monitors.some((monitor) => coversMonitor(about, monitor))) &&
    (schedule === null || isWithin(schedule, at))
  );
}

function wants(kinds: readonly EventKind[], kind: EventKind): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

const coversAll = ({ tags, monitors }: Pick<Rule, 'tags' | 'monitors'>) =>
  tags.length === 0 && monitors.length === 0;

/** Whether a time is in a schedule, by the clock on the wall: its hours can be longer or shorter when clocks change. */
function isWithin({ days, from, to, timeZone }: NonNullable<Rule['schedule']>, at: number): boolean {
  const wall = wallTime(at, timeZone);
  const today = Math.floor(wall / DAY);
  const minute = Math.floor((wall - today * DAY) / MINUTE);
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  const isOn = (day: number) => {
    const weekday = WEEKDAYS[(day + FIRST_WEEKDAY) % 7];
    return days.length === 0 || (weekday !== undefined && days.includes(weekday));
  };
  if (begins < ends) return minute >= begins && minute < ends && isOn(today);
  return (minute >= begins && isOn(today)) || (minute < ends && isOn(today - 1));
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
