import {
  createEmailRecipient,
  deleteEmailRecipient,
  resendConfirmation,
  updateEmailRecipient,
} from '@/lib/domain/email-recipients/change-recipients';
import { getEmailRecipient, listEmailRecipients } from '@/lib/domain/email-recipients/read-recipients';
import { previewRecovery } from '@/lib/domain/webhooks/deliveries/preview-recovery';
import { readDeliveryLog } from '@/lib/domain/webhooks/deliveries/read-delivery-log';
import { readEndpointCurve } from '@/lib/domain/webhooks/deliveries/read-endpoint-curve';
import {
  getDelivery,
  listDeliveries,
  listEndpointDeliveries,
  readLatestDeliveries,
} from '@/lib/domain/webhooks/read-deliveries';
import {
  countFailedDeliveries,
  readMissedDeliveries,
  recoverDeliveries,
  replayDelivery,
} from '@/lib/domain/webhooks/resend-deliveries';
import { anEmailRecipient, aWebhook, PAGE, reads, type VerbCall, writes } from './verb-call';
import { inputs, type World } from './world';

/** Where confirmations can be sent. */
const MAILING = { mail: { isOn: true }, appUrl: 'https://pharos.example' };

/** The calls of the verbs about deliveries, and about who gets alerts by email without an account. */
export const DELIVERY_CALLS: Record<string, VerbCall> = {
  'email-recipients/listEmailRecipients': reads('email-recipient.read', listEmailRecipients),
  'email-recipients/getEmailRecipient': reads('email-recipient.read', getEmailRecipient, anEmailRecipient),
  'email-recipients/createEmailRecipient': writes('email-recipient.create', (ctx) =>
    createEmailRecipient(ctx, inputs.emailRecipient()),
  ),
  'email-recipients/updateEmailRecipient': writes(
    'email-recipient.update',
    (ctx, id) => updateEmailRecipient(ctx, id, { description: 'On-call' }),
    anEmailRecipient,
  ),
  'email-recipients/deleteEmailRecipient': writes(
    'email-recipient.delete',
    deleteEmailRecipient,
    anEmailRecipient,
  ),
  'email-recipients/resendConfirmation': writes(
    'email-recipient.resend',
    (ctx, id) => resendConfirmation({ ...ctx, ...MAILING }, id),
    anEmailRecipient,
  ),
  'webhooks/recoverDeliveries': writes(
    'webhook.recover',
    (ctx, { webhook }) => recoverDeliveries(ctx, webhook, { since: new Date(0) }),
    (world: World) => world.delivery('monitor.up'),
  ),
  'webhooks/previewRecovery': reads(
    'delivery.read',
    (ctx, id) => previewRecovery(ctx, id, { since: new Date(0) }),
    aWebhook,
  ),
  'webhooks/replayDelivery': writes(
    'delivery.replay',
    (ctx, { id }) => replayDelivery(ctx, id),
    (world: World) => world.delivery(),
  ),
  'webhooks/listDeliveries': reads('delivery.read', (ctx) => listDeliveries(ctx, PAGE)),
  'webhooks/listEndpointDeliveries': reads(
    'delivery.read',
    (ctx, id) => listEndpointDeliveries(ctx, id, PAGE),
    aWebhook,
  ),
  'webhooks/getDelivery': reads(
    'delivery.read',
    (ctx, { id }) => getDelivery(ctx, id),
    (world: World) => world.delivery(),
  ),
  'webhooks/readDeliveryLog': reads('delivery.read', (ctx) =>
    readDeliveryLog(ctx, { status: undefined, after: null, limit: 10 }),
  ),
  'webhooks/countFailedDeliveries': reads('delivery.read', countFailedDeliveries),
  'webhooks/readMissedDeliveries': reads('delivery.read', readMissedDeliveries, aWebhook),
  'webhooks/readLatestDeliveries': reads('delivery.read', readLatestDeliveries),
  'webhooks/readEndpointCurve': reads('delivery.read', readEndpointCurve, aWebhook),
};
