import { Resources } from './generated/resources.js';
import { type PharosOptions, Transport } from './transport.js';

export { type ErrorCode, type ErrorDetail, PharosConnectionError, PharosError } from './errors.js';
export type { KnownEvent } from './generated/events.js';
export type * from './generated/types.gen.js';
export type { List, Page } from './list.js';
export type { PharosOptions, RequestOptions } from './transport.js';
export {
  type ReceivedWebhook,
  type UnknownEvent,
  verifyWebhook,
  type WebhookErrorCode,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.js';

/** A client of the API of Pharos. Its methods are grouped as in the reference. */
export class Pharos extends Resources {
  constructor(options: PharosOptions) {
    super(new Transport(options));
  }
}
