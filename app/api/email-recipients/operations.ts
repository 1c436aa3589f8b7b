import { z } from 'zod';
import {
  createEmailRecipient,
  deleteEmailRecipient,
  resendConfirmation,
  updateEmailRecipient,
} from '@/lib/domain/email-recipients/change-recipients';
import { getEmailRecipient, listEmailRecipients } from '@/lib/domain/email-recipients/read-recipients';
import {
  createEmailRecipientSchema,
  emailRecipientSchema,
  updateEmailRecipientSchema,
} from '@/lib/schemas/email-recipient';
import { messageSchema } from '@/lib/schemas/monitor';
import { operation } from '@/lib/web/http/operation';
import { resource } from '@/lib/web/http/route';

export const emailRecipients = resource({
  '/email-recipients': {
    GET: operation({
      operationId: 'listEmailRecipients',
      summary: 'List email recipients',
      description:
        'Addresses that are emailed alerts without an account, newest first. Requires the write scope.',
      scope: 'write',
      output: z.array(emailRecipientSchema),
      run: ({ ctx }) => listEmailRecipients(ctx),
    }),
    POST: operation({
      operationId: 'createEmailRecipient',
      summary: 'Create an email recipient',
      description:
        'Its owner is emailed a link that confirms it. Nothing else is sent to the address before, and never again once its owner has unsubscribed.',
      scope: 'write',
      errors: ['PLAN_LIMIT_EXCEEDED', 'UNKNOWN_MONITOR'],
      body: createEmailRecipientSchema,
      output: emailRecipientSchema,
      created: ({ id }) => `/email-recipients/${id}`,
      run: ({ ctx, body }) => createEmailRecipient(ctx, body),
    }),
  },
  '/email-recipients/{id}': {
    GET: operation({
      operationId: 'getEmailRecipient',
      summary: 'Retrieve an email recipient',
      scope: 'write',
      output: emailRecipientSchema,
      run: ({ ctx, params }) => getEmailRecipient(ctx, params.id ?? ''),
    }),
    PUT: operation({
      operationId: 'updateEmailRecipient',
      summary: 'Update an email recipient',
      description: 'The address cannot be changed: create another recipient instead.',
      scope: 'write',
      errors: ['UNKNOWN_MONITOR'],
      body: updateEmailRecipientSchema,
      output: emailRecipientSchema,
      run: ({ ctx, params, body }) => updateEmailRecipient(ctx, params.id ?? '', body),
    }),
    DELETE: operation({
      operationId: 'deleteEmailRecipient',
      summary: 'Delete an email recipient',
      scope: 'write',
      output: messageSchema,
      run: ({ ctx, params }) => deleteEmailRecipient(ctx, params.id ?? ''),
    }),
  },
  '/email-recipients/{id}/resend-confirmation': {
    POST: operation({
      operationId: 'resendEmailRecipientConfirmation',
      summary: 'Resend the confirmation',
      description:
        'Emails its owner a new link; the earlier one no longer works. At most once in ten minutes.',
      scope: 'write',
      output: emailRecipientSchema,
      run: ({ ctx, params }) => resendConfirmation(ctx, params.id ?? ''),
    }),
  },
});
