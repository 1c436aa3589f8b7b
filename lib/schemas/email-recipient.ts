import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import {
  changesOf,
  createdAtSchema,
  creationOf,
  idLike,
  instantSchema,
  nameText,
  updatedAtSchema,
  versionSchema,
} from '@/lib/schemas/text';
import { emailAddress } from './email-address';
import { memberRulesSchema, storedMemberRulesSchema } from './webhooks/rules';

const fields = {
  description: described(nameText(0, 100), 'What members recognize it by', 'On-call phone of the agency'),
  enabled: described(z.boolean('must be true or false'), 'Whether alerts are sent to it', true),
  rules: memberRulesSchema.describe(
    'Alerts are sent if all conditions of one of these rules hold. Without rules, all alerts about monitors are sent',
  ),
};

const DEFAULTS = { description: '', enabled: true, rules: [] } as const;

/** The body of POST /email-recipients. */
export const createEmailRecipientSchema = z.strictObject({
  email: described(emailAddress, 'The address, which cannot be changed later', 'oncall@agency.example'),
  ...creationOf(fields, DEFAULTS),
});

export const RECIPIENT_STATUSES = ['pending', 'active', 'disabled', 'unsubscribed'] as const;

/** An email recipient as the API returns it. */
export const emailRecipientSchema = z
  .strictObject({
    id: described(z.string().regex(/^eml_/), 'The ID of the recipient', 'eml_01kxk1v4z7c0f3j6m9q2t5w8yb'),
    email: described(z.string(), 'The address', 'oncall@agency.example'),
    description: described(z.string(), 'What members recognize it by', 'On-call phone of the agency'),
    enabled: described(z.boolean(), 'Whether alerts are sent to it', true),
    status: described(
      z.enum(RECIPIENT_STATUSES),
      'pending: not confirmed yet, so nothing is sent. unsubscribed: its owner ended it; only they can confirm it again',
      'active',
    ),
    rules: storedMemberRulesSchema.describe('Which alerts about monitors are sent; empty: all'),
    confirmationSentAt: described(
      instantSchema.nullable(),
      'When the last confirmation email was sent; null: none yet, because this service could not send email',
      '2027-03-01T10:00:00.000Z',
    ),
    confirmedAt: described(
      instantSchema.nullable(),
      'When its owner confirmed it; null: not yet',
      '2027-03-01T10:04:00.000Z',
    ),
    version: versionSchema,
    createdAt: createdAtSchema,
    updatedAt: updatedAtSchema,
  })
  .meta({ id: 'EmailRecipient' });

/** The body of PUT /email-recipients/:id. */
export const updateEmailRecipientSchema = changesOf(fields, emailRecipientSchema, DEFAULTS);

export type EmailRecipient = z.output<typeof emailRecipientSchema>;
export type CreateEmailRecipient = z.output<typeof createEmailRecipientSchema>;
export type EmailRecipientChanges = z.output<typeof updateEmailRecipientSchema>;

/** The token in the link that confirms an address. */
export const confirmationTokenSchema = idLike(/^[\w-]{43}$/, 'must be a token');
