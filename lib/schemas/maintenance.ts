import { z } from 'zod';
import { isTimeZone } from '@/lib/core/zoned-time';
import { pageQuery } from './query';
import { findRruleFault } from './rrule';
import { givenInstantSchema, idText, instantSchema, text } from './text';

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

const ignored = z.unknown().optional();

/** The body of PUT /maintenance/:id: any of the fields; read-only ones are accepted and ignored. */
export const updateMaintenanceSchema = z
  .strictObject(fields)
  .partial()
  .extend({ id: ignored, status: ignored, occurrence: ignored, createdAt: ignored, updatedAt: ignored })
  .transform(({ id, status, occurrence, createdAt, updatedAt, ...changes }) => changes);

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

export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];
export type Maintenance = z.output<typeof maintenanceSchema>;
export type CreateMaintenance = z.output<typeof createMaintenanceSchema>;
export type MaintenanceChanges = z.output<typeof updateMaintenanceSchema>;
export type MaintenanceQuery = z.output<typeof maintenanceQuerySchema>;
