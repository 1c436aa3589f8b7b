import { z } from 'zod';
import { type Cursor, lenient, pageQuery, parseCursor } from './query';
import { givenInstantSchema, idLike, instantSchema, REQUEST_ID } from './text';

export const ACTOR_KINDS = ['user', 'key', 'operator', 'endpoint'] as const;

/** Every action that leaves an entry; some older entries have others. */
export const AUDITED_ACTIONS = [
  'monitor.create',
  'monitor.update',
  'monitor.delete',
  'monitor.rotate-heartbeat',
  'incident.acknowledge',
  'incident.create',
  'incident.update',
  'incident.delete',
  'incident-template.create',
  'incident-template.update',
  'incident-template.delete',
  'maintenance.create',
  'maintenance.update',
  'correction.create',
  'correction.delete',
  'marker.create',
  'marker.delete',
  'maintenance.delete',
  'status-page.create',
  'status-page.update',
  'status-page.delete',
  'page-token.create',
  'page-token.rotate',
  'page-token.revoke',
  'subscriber.import',
  'subscriber.remove',
  'region.create',
  'region.update',
  'region.delete',
  'probe-token.create',
  'probe-token.rotate',
  'probe-token.revoke',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.test',
  'webhook.rotate-secret',
  'webhook.recover',
  'delivery.replay',
  'api-key.create',
  'api-key.update',
  'api-key.rotate',
  'api-key.revoke',
  'member.join',
  'member.change',
  'member.change-email',
  'member.remove',
  'member.leave',
  'member.reset-password',
  'member.add-second-factor',
  'member.remove-second-factor',
  'member.reset-second-factor',
  'member.add-passkey',
  'member.remove-passkey',
  'member.replace-recovery-codes',
  'member.use-recovery-code',
  'member.fail-second-factor',
  'member.link-account',
  'member.unlink-account',
  'invitation.create',
  'invitation.accept',
  'invitation.revoke',
  'organization.create',
  'organization.rename',
  'organization.change-reminders',
  'organization.require-second-factor',
  'organization.transfer',
  'organization.change-plan',
] as const;
const action = idLike(/^[a-z-]{1,40}\.[a-z-]{1,40}$/, 'must be an action such as monitor.update');
const actor = idLike(
  /^((usr|key|whk)_[0-9a-z]{1,60}|operator)$/,
  'must be a user ID, an API key ID, an endpoint ID or operator',
);
const subject = idLike(/^[a-z]{3}_[0-9a-z]{1,60}$/, 'must be an ID');
const requestId = z.string().max(128, 'must be a request ID').regex(REQUEST_ID, 'must be a request ID');

const filters = {
  action: action.optional().describe('The action, such as monitor.update'),
  actor: actor
    .optional()
    .describe(
      'Who did it: a user ID, an API key ID, the ID of the endpoint whose message had the link, or `operator`',
    ),
  subject: subject.optional().describe('The ID of the affected resource'),
  requestId: requestId.optional().describe('The request that changed it'),
  since: givenInstantSchema.optional().describe('Entries at or after this time'),
  until: givenInstantSchema.optional().describe('Entries before this time'),
};

/** The query of GET /audit/export. */
export const auditFilterSchema = z.strictObject(filters);

/** The query of GET /audit. */
export const auditQuerySchema = z.strictObject({ ...filters, ...pageQuery });

const fieldsSchema = z.record(z.string(), z.unknown()).nullable();

/** An audit log entry as the API returns it. */
export const auditEntrySchema = z
  .strictObject({
    id: z.string().regex(/^aud_/),
    at: instantSchema,
    action: z.string(),
    actor: z.strictObject({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().nullable().describe('null for the operator at the command line'),
      name: z
        .string()
        .describe('The email address or API key name at the time, or in which product someone used a link'),
    }),
    subject: z.strictObject({ id: z.string(), name: z.string().describe('The name at the time') }),
    before: fieldsSchema.describe('The changed fields before the change; null if it was created'),
    after: fieldsSchema.describe('The changed fields after the change; null if it was deleted'),
    address: z.string().nullable().describe('The IP address of the request, if known'),
    requestId: z
      .string()
      .nullable()
      .describe('The ID of the request, as in its response and in the log; null for the command line'),
  })
  .meta({ id: 'AuditEntry', description: 'Secret values are shown as (hidden)' });

/** The query of the audit log screen: `from` and `to` are UTC days, inclusive. Invalid values are ignored. */
export const auditPageSchema = z.object({
  action: lenient(action),
  actor: lenient(actor),
  subject: lenient(subject),
  requestId: lenient(requestId),
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

/** The log filter for a screen's query. */
export function pageFilter({ from, to, action, actor, subject, requestId }: AuditPage): AuditFilter {
  return {
    ...(action ? { action } : {}),
    ...(actor ? { actor } : {}),
    ...(subject ? { subject } : {}),
    ...(requestId ? { requestId } : {}),
    ...(from ? { since: new Date(from) } : {}),
    ...(to ? { until: new Date(Date.parse(to) + DAY_MS) } : {}),
  };
}

export type AuditedActionName = (typeof AUDITED_ACTIONS)[number];
export type AuditFilter = z.output<typeof auditFilterSchema>;
export type AuditEntry = z.output<typeof auditEntrySchema>;
export type AuditPage = z.output<typeof auditPageSchema>;
