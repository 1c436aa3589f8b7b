import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const TOPIC = 'pharos-alerts-4711';
const TOKEN = 'tk_0123456789012345678901234567';

/** https://docs.ntfy.sh/publish/#publish-as-json */
const messageSchema = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().min(1),
  // A longer one becomes an attachment.
  message: z.string().refine((text) => Buffer.byteLength(text) <= 4096, 'is too long'),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: z.url().optional(),
  sequence_id: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/)
    .optional(),
  // https://docs.ntfy.sh/publish/#open-websiteapp
  actions: z
    .array(z.strictObject({ action: z.literal('view'), label: z.string(), url: z.url(), clear: z.boolean() }))
    .max(3)
    .optional(),
});

/** A topic of an ntfy server that requires a token. */
export const ntfy: Product = {
  credentials: { topic: TOPIC, token: TOKEN },
  secrets: [TOPIC, TOKEN],
  respond(request) {
    const { value, errors } = readJson(messageSchema, request);
    if (errors) return { status: 400, body: { code: 40_024, http: 400, error: 'invalid request', errors } };
    if (request.path !== '/')
      return { status: 404, body: { code: 40_401, http: 404, error: 'page not found' } };
    if (request.headers.authorization !== `Bearer ${TOKEN}` || value.topic !== TOPIC) {
      return { status: 403, body: { code: 40_301, http: 403, error: 'forbidden' } };
    }
    return { status: 200, body: { id: 'a', time: 1, event: 'message', ...value } };
  },
};
