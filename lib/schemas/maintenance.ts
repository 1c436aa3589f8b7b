import { z } from 'zod';
import { isTimeZone } from '@/lib/core/zoned-time';
import { pageQuery } from './query';
import { changesOf, givenInstantSchema, idText, instantSchema, text } from './text';

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';

const MAX_LENGTH = 500;

type Part = { allows: (value: string) => boolean; says: string };

/** The parts of a rule that are taken. What would make it denser than hourly, or is of no Gregorian calendar, is not. */
const PARTS: Record<string, Part> = {
  FREQ: oneOf(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY']),
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
  WKST: oneOf(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']),
};

export const MAINTENANCE_STATUSES = ['scheduled', 'active', 'finished'] as const;

const RRULE = 'The value of an RFC 5545 RRULE, at most hourly, without overlap; null: once';
const ZONE = 'IANA name; whose clocks an `rrule` goes by, over every change of them';

const fields = {
  title: text(1, 200),
  message: text(0, 5000),
  monitors: z
    .array(idText('must be a monitor id'), 'must be an array of monitor ids')
    .min(1, 'must name at least one monitor')
    .max(1000, 'must be at most 1000 monitors')
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a monitor'),
  startsAt: givenInstantSchema.meta({ description: 'Of the first occurrence' }),
  endsAt: givenInstantSchema.meta({
    description: 'Of the first occurrence, at most 31 days after its start',
  }),
  rrule: z
    .string('must be a string or null')
    .max(500, { error: 'must be at most 500 characters', abort: true })
    .refine((rrule) => findRruleFault(rrule) === null, {
      error: ({ input }) => findRruleFault(String(input)) ?? 'is not a rule',
    })
    .nullable()
    .meta({ description: RRULE }),
  timeZone: z
    .string('must be a string')
    .max(100, 'must be at most 100 characters')
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .meta({ description: ZONE }),
};

/** The body of POST /maintenance; how the moments fit each other is looked at by the verb. */
export const createMaintenanceSchema = z.strictObject({
  ...fields,
  message: fields.message.default(''),
  rrule: fields.rrule.default(null),
  timeZone: fields.timeZone.default('UTC'),
});

/** When a window is, apart from everything else. */
export const maintenanceScheduleSchema = createMaintenanceSchema.pick({
  startsAt: true,
  endsAt: true,
  rrule: true,
  timeZone: true,
});

/** The query of GET /maintenance. */
export const maintenanceQuerySchema = z.strictObject({
  status: z.enum(MAINTENANCE_STATUSES, `must be one of ${MAINTENANCE_STATUSES.join(', ')}`).optional(),
  monitor: z
    .string('must be a monitor id')
    .max(100, 'must be a monitor id')
    .regex(/^mon_[0-9a-z]+$/, 'must be a monitor id')
    .optional()
    .meta({ description: 'Those of this monitor' }),
  ...pageQuery,
});

const occurrenceSchema = z
  .strictObject({ startsAt: instantSchema, endsAt: instantSchema })
  .meta({ id: 'MaintenanceOccurrence' });

/** A maintenance window as the API answers it. */
export const maintenanceSchema = z
  .strictObject({
    id: z.string().regex(/^mnt_/),
    title: z.string(),
    message: z.string(),
    monitors: z.array(z.string()).meta({ description: 'Monitor ids; a deleted monitor is left out' }),
    startsAt: instantSchema.meta({ description: 'Of the first occurrence' }),
    endsAt: instantSchema.meta({ description: 'Of the first occurrence' }),
    rrule: z.string().nullable().meta({ description: RRULE }),
    timeZone: z.string().meta({ description: ZONE }),
    status: z.enum(MAINTENANCE_STATUSES),
    occurrence: occurrenceSchema.nullable().meta({ description: 'The current or next one; null: finished' }),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Maintenance' });

/** The body of PUT /maintenance/:id. */
export const updateMaintenanceSchema = changesOf(fields, maintenanceSchema);

export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];
export type Maintenance = z.output<typeof maintenanceSchema>;
export type CreateMaintenance = z.output<typeof createMaintenanceSchema>;
export type MaintenanceChanges = z.output<typeof updateMaintenanceSchema>;
export type MaintenanceQuery = z.output<typeof maintenanceQuerySchema>;

/**
 * What is wrong with the value of an RFC 5545 RRULE, as a predicate ("must name FREQ"); null where nothing is. Whether it
 * ever comes to pass, and how often, is not looked at here.
 */
export function findRruleFault(rrule: string): string | null {
  if (rrule.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  const seen = new Map<string, string>();
  for (const text of rrule.split(';')) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)$/.exec(text) ?? [];
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part === undefined)
      return 'must be an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO, without other parts';
    if (seen.has(name)) return `must not repeat ${name}`;
    if (!part.allows(value)) return `must have as ${name} ${part.says}`;
    seen.set(name, value);
  }
  if (!seen.has('FREQ')) return 'must name FREQ';
  if (seen.has('COUNT') && seen.has('UNTIL')) return 'must not have both COUNT and UNTIL';
  return null;
}

function matching(pattern: RegExp, says: string): Part {
  return { allows: (value) => pattern.test(value), says };
}

function oneOf(values: string[]): Part {
  return { allows: (value) => values.includes(value), says: `one of ${values.join(', ')}` };
}

function listOf(pattern: RegExp, says: string): Part {
  return { allows: (value) => value.split(',').every((each) => pattern.test(each)), says };
}

function number(minimum: number, maximum: number): Part {
  return {
    allows: (value) => isWithin(value, minimum, maximum),
    says: `one whole number from ${minimum} to ${maximum}`,
  };
}

function numbers(minimum: number, maximum: number, { signed = false } = {}): Part {
  const unsigned = (value: string) => (signed ? value.replace(/^[+-]/, '') : value);
  return {
    allows: (value) => value.split(',').every((each) => isWithin(unsigned(each), minimum, maximum)),
    says: `whole numbers from ${minimum} to ${maximum}${signed ? ', or negative' : ''}`,
  };
}

function isWithin(value: string, minimum: number, maximum: number): boolean {
  return /^\d{1,4}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}
