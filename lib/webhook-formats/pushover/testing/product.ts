import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const TOKEN = 'a01234567890123456789012345678';
const USER = 'u01234567890123456789012345678';

const key = z.string().regex(/^[A-Za-z0-9]{30}$/);

/** https://pushover.net/api#messages */
const messageSchema = z.strictObject({
  token: key,
  user: key,
  message: z.string().min(1).max(1024),
  title: z.string().min(1).max(250),
  // 2 would also need retry and expire.
  priority: z.int().min(-2).max(1),
  timestamp: z.int().positive(),
  url: z.url().max(512).optional(),
  url_title: z.string().max(100).optional(),
});

/** Pushover's Message API, with one application and one user. */
export const pushover: Product = {
  credentials: { token: TOKEN, user: USER },
  secrets: [TOKEN, USER],
  respond(request) {
    const { value, errors } = readJson(messageSchema, request);
    if (request.path !== '/1/messages.json') return { status: 404, body: { status: 0 } };
    if (errors) return { status: 400, body: { status: 0, request: 'a', errors } };
    if (value.token !== TOKEN) {
      return { status: 400, body: { token: 'invalid', errors: ['application token is invalid'], status: 0 } };
    }
    if (value.user !== USER) {
      return { status: 400, body: { user: 'invalid', errors: ['user identifier is invalid'], status: 0 } };
    }
    return { status: 200, body: { status: 1, request: 'a' } };
  },
};
