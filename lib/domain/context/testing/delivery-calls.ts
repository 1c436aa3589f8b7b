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
import { aWebhook, PAGE, reads, type VerbCall, writes } from './verb-call';
import type { World } from './world';

/** The calls of the verbs about deliveries. */
export const DELIVERY_CALLS: Record<string, VerbCall> = {
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
