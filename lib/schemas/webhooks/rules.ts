import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { INCIDENT_SEVERITIES } from '@/lib/schemas/incidents/incident-statuses';
import { creationOf, idText, oneOf, text } from '@/lib/schemas/text';
import { EVENT_KINDS } from './event-kinds';

/** Rules of one listener. */
export const MAX_RULES = 20;
/** Tags of one rule. */
export const MAX_RULE_TAGS = 20;
/** Monitors of one rule. */
export const MAX_RULE_MONITORS = 100;

/** The days of a schedule, in the order of the week. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** The events that members are emailed about. */
export const MEMBER_KINDS = ['monitor.down', 'monitor.up'] as const;

const isUnique = (items: readonly unknown[]) => new Set(items).size === items.length;

function some<Item extends z.ZodType>(item: Item, max: number, noun: string) {
  return z
    .array(item, `must be an array of ${noun}`)
    .max(max, { error: `must have at most ${max} ${noun}`, abort: true })
    .refine(isUnique, 'must not contain duplicates');
}

const clock = z
  .string('must be a time such as 08:30')
  .max(5, { error: 'must be a time such as 08:30', abort: true })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:30');

const scheduleFields = {
  days: some(oneOf(WEEKDAYS), WEEKDAYS.length, 'days').describe(
    'The days on which it begins; empty: every day',
  ),
  from: described(clock, 'When it begins, by the clock of the time zone', '08:00'),
  to: described(clock, 'When it ends. At or before `from`: on the next day', '18:00'),
  timeZone: text(1, 100)
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .describe('A name of the IANA time zone database'),
};

const schedule = z
  .strictObject(creationOf(scheduleFields, { days: [], timeZone: 'UTC' }), 'must be a schedule')
  .nullable()
  .describe('The time of day at which it is sent; null: any');

const monitorId = idText('must be a monitor ID');

function rulesOf<Kind extends z.ZodType>(kinds: Kind, max: number, monitor: z.ZodString) {
  const conditions = {
    tags: some(text(1, 50), MAX_RULE_TAGS, 'tags').describe('The monitor has one of these tags; empty: any'),
    monitors: some(monitor, MAX_RULE_MONITORS, 'monitors').describe(
      'It is about one of these monitors; empty: any',
    ),
    severities: some(oneOf(INCIDENT_SEVERITIES), INCIDENT_SEVERITIES.length, 'severities').describe(
      'The incident has one of these severities; empty: any',
    ),
    kinds: some(kinds, max, 'events').describe('It is one of these events; empty: any'),
    schedule,
  };
  const rule = z.strictObject(
    creationOf(conditions, { tags: [], monitors: [], severities: [], kinds: [], schedule: null }),
  );
  return z
    .array(rule.refine(hasCondition, 'must have a condition'), 'must be an array of rules')
    .max(MAX_RULES, { error: `must have at most ${MAX_RULES} rules`, abort: true });
}

function hasCondition(conditions: object): boolean {
  return Object.values(conditions).some((one) => (Array.isArray(one) ? one.length > 0 : one !== null));
}

/** The rules of a webhook endpoint, as callers send them. */
export const rulesSchema = rulesNaming(monitorId);

/** Those rules, with other names for monitors. */
export function rulesNaming(monitor: z.ZodString) {
  return rulesOf(oneOf(EVENT_KINDS), EVENT_KINDS.length, monitor).describe(
    'Events are sent if all conditions of one of these rules hold. Without rules, all events are sent',
  );
}

/** The rules of a member for alert emails. */
export const memberRulesSchema = rulesOf(oneOf(MEMBER_KINDS), MEMBER_KINDS.length, monitorId);

/** The rules of an endpoint or a member, as they are stored and returned. */
export const storedRulesSchema = storedRulesOf(z.enum(EVENT_KINDS), 'Rule');

/** The rules of those who are only emailed alerts. */
export const storedMemberRulesSchema = storedRulesOf(z.enum(MEMBER_KINDS), 'AlertRule');

function storedRulesOf<Kinds extends z.ZodType>(kinds: Kinds, id: string) {
  const rule = z
    .strictObject({
      tags: described(z.array(z.string()), 'The monitor has one of these tags; empty: any', ['shop']),
      monitors: described(z.array(z.string()), 'IDs of deleted monitors stay, and match nothing', []),
      severities: described(
        z.array(z.enum(INCIDENT_SEVERITIES)),
        'The incident has one of these severities; empty: any',
        ['critical'],
      ),
      kinds: described(z.array(kinds), 'It is one of these events; empty: any', []),
      schedule: z
        .strictObject({
          days: described(z.array(z.enum(WEEKDAYS)), 'The days on which it begins; empty: every day', [
            'monday',
            'friday',
          ]),
          from: described(z.string(), 'When it begins, by the clock of the time zone', '08:00'),
          to: described(z.string(), 'When it ends; at or before `from`: on the next day', '18:00'),
          timeZone: described(z.string(), 'A name of the IANA time zone database', 'Europe/Berlin'),
        })
        .nullable()
        .describe('The time of day at which it is sent; null: any'),
    })
    .meta({ id });
  return z.array(rule);
}

/** Who is notified of what: all of its conditions must hold. An empty list is no condition. */
export type Rule = z.output<typeof storedRulesSchema>[number];

/** Whether a rule can be about a monitor, whatever happens to it and when. */
export function coversMonitor(
  { tags, monitors }: Pick<Rule, 'tags' | 'monitors'>,
  { id, tags: own }: { id: string; tags: readonly string[] },
): boolean {
  return (
    (monitors.length === 0 || monitors.includes(id)) &&
    (tags.length === 0 || own.some((tag) => tags.includes(tag)))
  );
}
