import type { z } from 'zod';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import type { ReceivedRequest } from '@/lib/testing/receiver';

/** A product as its documentation describes it: what it accepts, and what it responds. */
export type Product = {
  /** Those that it knows. */
  credentials: Credentials;
  /** What identifies the sender, and must not be kept anywhere. */
  secrets: string[];
  respond(request: ReceivedRequest, alerts: Alerts, messages?: ChatMessage[]): Reply;
};

/** A message that a chat product shows. */
export type ChatMessage = {
  id: string;
  text: string;
  /** The message that it is a reply to; null: none. */
  replyTo: string | null;
  /** Whether people are notified of it. */
  isLoud: boolean;
  edits: number;
};

/** The alerts that are open, by their key. */
export type Alerts = Map<string, 'triggered' | 'acknowledged'>;

export type Reply = { status: number; body: object };

/** The body of a request, or why it is not valid. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  { method, headers, body }: ReceivedRequest,
  expected = 'POST',
): { value: z.output<Schema>; errors: null } | { value: null; errors: string[] } {
  if (method !== expected) return { value: null, errors: [`method ${method}`] };
  if (headers['content-type'] !== 'application/json') return { value: null, errors: ['content type'] };
  const parsed = schema.safeParse(JSON.parse(body));
  if (parsed.success) return { value: parsed.data, errors: null };
  const errors = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { value: null, errors };
}
