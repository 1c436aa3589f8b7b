import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { type Cursor, parseCursor } from './cursor';
import { lenient, pageQuery } from './query';
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
  'incident.import',
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
  'email-recipient.create',
  'email-recipient.update',
  'email-recipient.delete',
  'email-recipient.resend',
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
  'mail-server.change',
] as const;
const action = idLike(/^[a-z-]{1,40}\.[a-z-]{1,40}$/, 'must be an action such as monitor.update');
const actor = idLike(
  /^((usr|key|whk)_[0-9a-z]{1,60}|operator)$/,
  'must be a user ID, an API key ID, an endpoint ID or operator',
);
const subject = idLike(/^[a-z]{3}_[0-9a-z]{1,60}$/, 'must be an ID');
const requestId = z.string().max(128, 'must be a request ID').regex(REQUEST_ID, 'must be a request ID');

const filters = {
  action: described(action.optional(), 'The action, such as monitor.update', 'monitor.update'),
  actor: described(
    actor.optional(),
    'Who did it: a user ID, an API key ID, the ID of the endpoint whose message had the link, or `operator`',
    'usr_01kxk1x0c3f6j9m2q5s8v1y4ae',
  ),
  subject: described(subject.optional(), 'The ID of the affected resource', 'mon_01kxk1j7c2e5x8q3n6w4r9t0zb'),
  requestId: described(
    requestId.optional(),
    'The request that changed it',
    '0190f3a2-7c4e-7b1d-9a55-2f1c3d4e5f60',
  ),
  since: givenInstantSchema.optional().describe('Entries at or after this time'),
  until: described(givenInstantSchema.optional(), 'Entries before this time', '2027-03-01T00:00:00.000Z'),
};

/** The query of GET /audit/export. */
export const auditFilterSchema = z.strictObject(filters);

/** The query of GET /audit. */
export const auditQuerySchema = z.strictObject({ ...filters, ...pageQuery });

const fieldsSchema = z.record(z.string(), z.unknown()).nullable();

/** An audit log entry as the API returns it. */
export const auditEntrySchema = z
  .strictObject({
    id: described(z.string().regex(/^aud_/), 'The ID of the entry', 'aud_01kxk20a3c6f9h2k5n8q1t4v7w'),
    at: instantSchema.describe('When it happened'),
    action: described(z.string(), 'What was done', 'monitor.update'),
    actor: z
      .strictObject({
        kind: described(z.enum(ACTOR_KINDS), 'What kind of actor it was', 'user'),
        id: described(
          z.string().nullable(),
          'null for the operator at the command line',
          'usr_01kxk1x0c3f6j9m2q5s8v1y4ae',
        ),
        name: described(
          z.string(),
          'The email address or API key name at the time, or in which product someone used a link',
          'ada@example.com',
        ),
      })
      .describe('Who did it'),
    subject: z
      .strictObject({
        id: described(z.string(), 'The ID of the entry', 'aud_01kxk20a3c6f9h2k5n8q1t4v7w'),
        name: described(z.string(), 'The name at the time', 'Checkout API'),
      })
      .describe('What was changed'),
    before: described(fieldsSchema, 'The changed fields before the change; null if it was created', {
      name: 'Checkout',
    }),
    after: described(fieldsSchema, 'The changed fields after the change; null if it was deleted', {
      name: 'Checkout API',
    }),
    address: described(z.string().nullable(), 'The IP address of the request, if known', '192.0.2.7'),
    requestId: described(
      z.string().nullable(),
      'The ID of the request, as in its response and in the log; null for the command line',
      '0190f3a2-7c4e-7b1d-9a55-2f1c3d4e5f60',
    ),
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
