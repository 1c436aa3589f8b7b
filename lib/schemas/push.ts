import { z } from 'zod';

/** 65 bytes: an uncompressed point of P-256. */
const PUBLIC_KEY = /^B[A-Za-z0-9_-]{86}$/;
/** 16 bytes. */
const AUTH_SECRET = /^[A-Za-z0-9_-]{22}$/;

/** Where a browser gets push messages, as it describes that itself (RFC 8030, RFC 8291). Keys are in base64url. */
export const pushTargetSchema = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(2048),
  keys: z.strictObject({
    p256dh: z.string().max(87).regex(PUBLIC_KEY),
    auth: z.string().max(22).regex(AUTH_SECRET),
  }),
});

export type PushTarget = z.output<typeof pushTargetSchema>;

/** What a browser shows; public/push-worker.js reads it. Encrypted, it fits into the 4 KB of a push message. */
export const pushContentSchema = z.object({
  title: z.string().max(200),
  body: z.string().max(500),
  /** Where it leads, on the host of the dashboard. */
  path: z.string().max(500),
  /** A later notification with the same tag replaces it. Also the topic by which push services replace what is not delivered yet. */
  tag: z.string().max(32),
  /** The query of the link that acknowledges its incidents; null: no incident is open, or the member may not. */
  acknowledge: z.string().max(2500).nullable(),
});

export type PushContent = z.output<typeof pushContentSchema>;
