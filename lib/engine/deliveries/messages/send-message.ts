import { judgeOutcome } from '@/lib/domain/webhooks/formats/judge-outcome';
import type { LeasedMessage } from '@/lib/domain/webhooks/messages/lease-message';
import type { DeliveryOutcome, SentOutcome } from '@/lib/domain/webhooks/send-delivery';
import type { ClaimedDelivery } from '@/lib/engine/deliveries/claim-deliveries';
import { SKIPPED } from '@/lib/schemas/webhooks/delivery';
import { compareStatuses, parseStatus } from '@/lib/state/announcements/message-status';
import type { EditableProduct, ProductTarget } from '@/lib/webhook-formats/editable';
import type { ProductRequest } from '@/lib/webhook-formats/request';
import type { ShownMessage } from './record-messages';

/** An attempt, and what its message shows from now on; null: the same as before. */
export type Sent = { outcome: DeliveryOutcome; shown: ShownMessage | null };

/** Sends a request, and returns its outcome and the text of the response. */
export type Send = (
  build: (target: ProductTarget) => ProductRequest,
) => Promise<{ outcome: SentOutcome; text: string }>;

/** What is sent to which product, and how. */
type Sending = { product: EditableProduct; send: Send; body: string };
type Content = Pick<ClaimedDelivery, 'number' | 'messageStatus'>;

/**
 * Posts the message of a delivery, or edits it and says what changed. A message that was deleted in the product is posted again. What a
 * newer delivery has shown is never replaced: the delivery counts as delivered then, without a request. Never throws.
 */
export async function sendMessage(
  sending: Sending,
  content: Content,
  { message, shownNumber, notifiedStatus }: LeasedMessage,
): Promise<Sent> {
  if (shownNumber !== null && shownNumber > content.number) return skip(SKIPPED.newer);
  const status = parseStatus(content.messageStatus);
  const step = status === null ? 'quiet' : compareStatuses(parseStatus(notifiedStatus), status);
  if (message === null) {
    const isShown = shownNumber !== null && step === 'same';
    return isShown ? skip(SKIPPED.uneditable) : postMessage(sending, content);
  }
  const { product, body } = sending;
  const edited = await request(sending, (target) => product.edit(target, message, body));
  if (edited.isGone) return postMessage(sending, content);
  if (edited.outcome.kind !== 'delivered') return { outcome: edited.outcome, shown: null };
  const { number, messageStatus } = content;
  const shown = { message, number, notifiedStatus: messageStatus };
  const buildReply = product.reply(message, body, step);
  if (buildReply === null) return { outcome: edited.outcome, shown };
  const replied = await request(sending, buildReply);
  // A retry edits the message again, which changes nothing, and replies.
  if (replied.outcome.kind !== 'delivered')
    return { outcome: replied.outcome, shown: { ...shown, notifiedStatus } };
  return { outcome: edited.outcome, shown };
}

/** Posts a message, which can be edited if the response names it. */
export async function postMessage(
  { product, send, body }: Sending,
  { number, messageStatus }: Content,
): Promise<Sent> {
  const { outcome, text } = await request({ product, send, body }, (target) => product.post(target, body));
  if (outcome.kind !== 'delivered') return { outcome, shown: null };
  return { outcome, shown: { message: product.readPosted(text), number, notifiedStatus: messageStatus } };
}

/** Sends a request; what the product says about it counts more than its status code. */
async function request({ product, send }: Sending, build: (target: ProductTarget) => ProductRequest) {
  const sent = await send(build);
  return { ...judgeOutcome(product, sent), text: sent.text };
}

/** Nothing has to be sent. */
function skip(reason: string): Sent {
  return { outcome: { kind: 'skipped', reason }, shown: null };
}
