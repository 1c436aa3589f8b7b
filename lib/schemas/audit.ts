import { z } from 'zod';
import { type Cursor, pageQuery, parseCursor } from './query';
import { givenInstantSchema, instantSchema } from './text';

export const ACTOR_KINDS = ['user', 'key', 'operator'] as const;

const ACTION = /^[a-z-]{1,40}\.[a-z-]{1,40}$/;
/** A person, a key, or the command line. */
const ACTOR = /^((usr|key)_[0-9a-z]{1,60}|operator)$/;
const SUBJECT = /^[a-z]{3}_[0-9a-z]{1,60}$/;

const filters = {
  action: z
    .string('must be an action')
    .max(100, 'must be an action such as monitor.update')
    .regex(ACTION, 'must be an action such as monitor.update')
    .optional()
    .meta({ description: 'What was done, such as monitor.update' }),
  actor: z
    .string('must be the id of a person or of a key, or operator')
    .max(100, 'must be the id of a person or of a key, or operator')
    .regex(ACTOR, 'must be the id of a person or of a key, or operator')
    .optional()
    .meta({ description: 'Who did it: the id of a person or of a key, or `operator`' }),
  subject: z
    .string('must be an id')
    .max(100, 'must be an id')
    .regex(SUBJECT, 'must be an id')
    .optional()
    .meta({ description: 'What it was done to' }),
  since: givenInstantSchema.optional().meta({ description: 'At this moment or later' }),
  until: givenInstantSchema.optional().meta({ description: 'Before this moment' }),
};

/** The query of GET /audit/export. */
export const auditFilterSchema = z.strictObject(filters);

/** The query of GET /audit. */
export const auditQuerySchema = z.strictObject({ ...filters, ...pageQuery });

const fieldsSchema = z.record(z.string(), z.unknown()).nullable();

/** One thing that was done, as the API answers it. */
export const auditEntrySchema = z
  .strictObject({
    id: z.string().regex(/^aud_/),
    at: instantSchema,
    action: z.string(),
    actor: z.strictObject({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().nullable().meta({ description: 'null: the operator, at the command line' }),
      name: z.string().meta({ description: 'The e-mail address or the name of the key, as it was then' }),
    }),
    subject: z.strictObject({
      id: z.string(),
      name: z.string().meta({ description: 'As it was then' }),
    }),
    before: fieldsSchema.meta({ description: 'The fields that changed; null where there was nothing' }),
    after: fieldsSchema.meta({ description: 'The same fields now; null where nothing is left' }),
    address: z.string().nullable().meta({ description: 'Where the request came from, where that is known' }),
  })
  .meta({ id: 'AuditEntry', description: 'Secrets are named, and shown as (hidden)' });

const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/**
 * The address of a page of the log: `from` and `to` are days, both included, in UTC. What nobody could have been led to is as
 * if it were not there.
 */
export const auditPageSchema = z.object({
  action: lenient(z.string().max(100).regex(ACTION)),
  actor: lenient(z.string().max(100).regex(ACTOR)),
  subject: lenient(z.string().max(100).regex(SUBJECT)),
  from: lenient(z.iso.date().max(10)),
  to: lenient(z.iso.date().max(10)),
  after: lenient(
    z
      .string()
      .max(1000)
      .transform((text): Cursor | undefined => parseCursor(text) ?? undefined),
  ),
});

const DAY_MS = 86_400_000;

/** What a page's address asks of the log. */
export function pageFilter({ from, to, action, actor, subject }: AuditPage): AuditFilter {
  return {
    ...(action ? { action } : {}),
    ...(actor ? { actor } : {}),
    ...(subject ? { subject } : {}),
    ...(from ? { since: new Date(from) } : {}),
    ...(to ? { until: new Date(Date.parse(to) + DAY_MS) } : {}),
  };
}

export type AuditFilter = z.output<typeof auditFilterSchema>;
export type AuditQuery = z.output<typeof auditQuerySchema>;
export type AuditEntry = z.output<typeof auditEntrySchema>;
export type AuditPage = z.output<typeof auditPageSchema>;
