import { z } from 'zod';
import type { FormatCredentials, ProductRequest } from './request';

/**
 * What a change of the status means to those who read: the first that they hear of the incident, nothing new, something to know, or
 * something to be notified of.
 */
export type MessageStep = 'first' | 'same' | 'quiet' | 'loud';

/** How a product identifies a message that it shows. It comes from a response, so it is checked and short. */
export const productMessageSchema = z.object({
  id: z.string().regex(/^[\w.-]{1,64}$/),
  channel: z
    .string()
    .regex(/^\w{1,64}$/)
    .optional(),
});
export type ProductMessage = z.output<typeof productMessageSchema>;

/** Where a message goes. */
export type ProductTarget = { url: string; credentials: FormatCredentials };

/** What a product responded. */
export type Received = { statusCode: number; headers: Record<string, string>; text: string };

/** Why a request failed, null if it did not, and whether that is because the message was deleted. */
export type EditOutcome = { error: string | null; isGone: boolean };

/** A product whose messages can be edited. Bodies are those of its format. */
export type EditableProduct = {
  post: (target: ProductTarget, body: string) => ProductRequest;
  edit: (target: ProductTarget, message: ProductMessage, body: string) => ProductRequest;
  /** Adds a message about what changed to the edited one, since an edit notifies nobody; null if none is needed. */
  reply: (
    message: ProductMessage,
    body: string,
    step: MessageStep,
  ) => ((target: ProductTarget) => ProductRequest) | null;
  /** The message that was posted; null if the response does not name it. */
  readPosted: (text: string) => ProductMessage | null;
  /** What the status code does not say; null if it says everything. */
  judge: (received: Received) => EditOutcome | null;
};

/** What a request achieved that did not fail, whatever its status code. */
export const DONE: EditOutcome = { error: null, isGone: false };

/** The JSON of a response; null for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
