import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { titledTranslationsSchema } from './incidents/translations';
import { pageQuery } from './query';
import {
  changesOf,
  createdAtSchema,
  creationOf,
  givenInstantSchema,
  instantSchema,
  monitorIdSchema,
  monitorIdsSchema,
  nameText,
  oneOf,
  text,
  updatedAtSchema,
  versionSchema,
} from './text';

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';
const MAX_LENGTH = 500;

type Part = { allows: (value: string) => boolean; expected: string };

/** The supported parts of a rule. Rules more frequent than hourly or for other calendars are not supported. */
const PARTS: Record<string, Part> = {
  FREQ: among(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY']),
  INTERVAL: number(1, 1000),
  COUNT: number(1, 1000),
  UNTIL: matching(/^\d{8}(T\d{6}Z?)?$/, 'a date, or a date and time such as 20270131T120000Z'),
  BYDAY: listOf(new RegExp(`^([+-]?[1-9]\\d?)?${WEEKDAY}$`), 'weekdays such as MO or -1FR'),
  BYMONTH: numbers(1, 12),
  BYMONTHDAY: numbers(1, 31, { signed: true }),
  BYYEARDAY: numbers(1, 366, { signed: true }),
  BYWEEKNO: numbers(1, 53, { signed: true }),
  BYSETPOS: numbers(1, 366, { signed: true }),
  BYHOUR: numbers(0, 23),
  BYMINUTE: number(0, 59),
  BYSECOND: number(0, 59),
  WKST: among(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']),
};

export const MAINTENANCE_STATUSES = ['scheduled', 'active', 'finished'] as const;
const RRULE = 'An RFC 5545 RRULE value, at most hourly; occurrences must not overlap. null: not recurring';
const ZONE = 'IANA time zone name; `rrule` follows its local time across daylight saving changes';

const fields = {
  title: described(nameText(1, 200), 'The title, shown publicly', 'Checkout is slow'),
  message: described(text(0, 5000), 'What visitors should know; null for none', 'We upgrade the database.'),
  translations: titledTranslationsSchema,
  monitors: described(monitorIdsSchema.min(1, 'must include at least one monitor'), 'Monitor IDs', [
    'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
  ]),
  startsAt: described(givenInstantSchema, 'Start of the first occurrence', '2027-03-01T22:00:00.000Z'),
  endsAt: described(
    givenInstantSchema,
    'End of the first occurrence, at most 31 days after its start',
    '2027-03-01T23:00:00.000Z',
  ),
  rrule: described(
    z
      .string('must be a string or null')
      .max(500, { error: 'must be at most 500 characters', abort: true })
      .refine((rrule) => findRruleFault(rrule) === null, {
        error: ({ input }) => findRruleFault(String(input)) ?? 'must be an RFC 5545 recurrence rule',
      })
      .nullable(),
    RRULE,
    'FREQ=WEEKLY;BYDAY=MO',
  ),
  timeZone: described(
    z
      .string('must be a string')
      .max(100, 'must be at most 100 characters')
      .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
    ZONE,
    'Europe/Berlin',
  ),
};

const DEFAULTS = { message: '', translations: {}, rrule: null, timeZone: 'UTC' } as const;

/** The body of POST /maintenance. The verb checks that the times are consistent. */
export const createMaintenanceSchema = z.strictObject(creationOf(fields, DEFAULTS));

/** The schedule of a window, without its other fields. */
export const maintenanceScheduleSchema = createMaintenanceSchema.pick({
  startsAt: true,
  endsAt: true,
  rrule: true,
  timeZone: true,
});

/** The query of GET /maintenance. */
export const maintenanceQuerySchema = z.strictObject({
  status: oneOf(MAINTENANCE_STATUSES).optional().describe('The current status'),
  monitor: monitorIdSchema.optional().describe('Only windows that include this monitor'),
  ...pageQuery,
});

const occurrenceSchema = z
  .strictObject({
    startsAt: described(instantSchema, 'When it starts', '2027-03-01T22:00:00.000Z'),
    endsAt: described(instantSchema, 'When it ends', '2027-03-01T23:00:00.000Z'),
  })
  .meta({ id: 'MaintenanceOccurrence' });

/** A maintenance window as the API returns it. */
export const maintenanceSchema = z
  .strictObject({
    id: described(
      z.string().regex(/^mnt_/),
      'The ID of the maintenance window',
      'mnt_01kxk1r9v2x5a8d1g4k7n0q3sb',
    ),
    title: described(z.string(), 'The title, shown publicly', 'Checkout is slow'),
    message: described(z.string(), 'What visitors should know; null for none', 'We upgrade the database.'),
    translations: titledTranslationsSchema,
    monitors: described(z.array(z.string()), 'Monitor IDs, without deleted monitors', [
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ]),
    startsAt: described(instantSchema, 'Start of the first occurrence', '2027-03-01T22:00:00.000Z'),
    endsAt: described(instantSchema, 'End of the first occurrence', '2027-03-01T23:00:00.000Z'),
    rrule: described(z.string().nullable(), RRULE, 'FREQ=WEEKLY;BYDAY=MO'),
    timeZone: described(z.string(), ZONE, 'Europe/Berlin'),
    status: z.enum(MAINTENANCE_STATUSES).describe('The current status'),
    occurrence: occurrenceSchema.nullable().describe('The current or next occurrence; null if finished'),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
  })
  .meta({ id: 'Maintenance' });

/** The body of PUT /maintenance/:id. */
export const updateMaintenanceSchema = changesOf(fields, maintenanceSchema, DEFAULTS);

export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];
export type Maintenance = z.output<typeof maintenanceSchema>;
export type CreateMaintenance = z.output<typeof createMaintenanceSchema>;
export type MaintenanceChanges = z.output<typeof updateMaintenanceSchema>;
export type MaintenanceQuery = z.output<typeof maintenanceQuerySchema>;

/**
 * What is wrong with an RFC 5545 RRULE value, as a predicate ("must include FREQ"); null if it is valid. Does not check
 * whether the rule ever matches.
 */
export function findRruleFault(rrule: string): string | null {
  if (rrule.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  const seen = new Map<string, string>();
  for (const text of rrule.split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)$/.exec(text) ?? [];
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part === undefined) return 'must be an RFC 5545 recurrence rule such as FREQ=WEEKLY;BYDAY=MO';
    if (seen.has(name)) return `must not repeat ${name}`;
    if (!part.allows(value)) return `must set ${name} to ${part.expected}`;
    seen.set(name, value);
  }
  if (!seen.has('FREQ')) return 'must include FREQ';
  if (seen.has('COUNT') && seen.has('UNTIL')) return 'must not have both COUNT and UNTIL';
  return null;
}

function matching(pattern: RegExp, expected: string): Part {
  return { allows: (value) => pattern.test(value), expected };
}

function among(values: string[]): Part {
  return { allows: (value) => values.includes(value), expected: `one of ${values.join(', ')}` };
}

function listOf(pattern: RegExp, expected: string): Part {
  return { allows: (value) => value.split(',').every((each) => pattern.test(each)), expected };
}

function number(minimum: number, maximum: number): Part {
  return {
    allows: (value) => isWithin(value, minimum, maximum),
    expected: `a whole number from ${minimum} to ${maximum}`,
  };
}

function numbers(minimum: number, maximum: number, { signed = false } = {}): Part {
  const unsigned = (value: string) => (signed ? value.replace(/^[+-]/, '') : value);
  return {
    allows: (value) => value.split(',').every((each) => isWithin(unsigned(each), minimum, maximum)),
    expected: `whole numbers from ${minimum} to ${maximum}${signed ? ', positive or negative' : ''}`,
  };
}

function isWithin(value: string, minimum: number, maximum: number): boolean {
  return /^\d{1,4}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}
