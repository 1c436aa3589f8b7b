import { z } from 'zod';
import { type Product, readJson } from '../../testing/product';

const API_KEY = '01234567-0123-0123-0123-012345678901';

/** https://docs.opsgenie.com/docs/alert-api#create-alert */
const createSchema = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().max(512),
  description: z.string().max(15_000),
  tags: z.array(z.string().max(50)).max(20).optional(),
  details: z.record(z.string(), z.string()),
  entity: z.string().max(512).optional(),
  source: z.string().max(100),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
  note: z.string().max(25_000).optional(),
});

/** https://docs.opsgenie.com/docs/alert-api#close-alert and #acknowledge-alert */
const actionSchema = z.strictObject({
  user: z.string().max(100).optional(),
  source: z.string().max(100).optional(),
  note: z.string().max(25_000).optional(),
});

const BELOW_ALERT = /^\/v2\/alerts\/([^/]+)\/(acknowledge|close)\?identifierType=alias$/;

/** Opsgenie's Alert API. */
export const opsgenie: Product = {
  credentials: { apiKey: API_KEY },
  secrets: [API_KEY],
  respond(request, alerts) {
    const accepted = {
      status: 202,
      body: { result: 'Request will be processed', took: 0.1, requestId: 'a' },
    };
    if (request.headers.authorization !== `GenieKey ${API_KEY}`) {
      return { status: 403, body: { message: `Key format is not valid: ${request.headers.authorization}` } };
    }
    const [, alias, action] = BELOW_ALERT.exec(request.path) ?? [];
    if (alias !== undefined) {
      const { errors } = readJson(actionSchema, request);
      if (errors) return { status: 422, body: { message: 'Request body is not processable', errors } };
      const key = decodeURIComponent(alias);
      if (action === 'close') alerts.delete(key);
      else if (alerts.has(key)) alerts.set(key, 'acknowledged');
      return accepted;
    }
    const { value, errors } = readJson(createSchema, request);
    if (request.path !== '/v2/alerts') return { status: 404, body: { message: 'Not found' } };
    if (errors) return { status: 422, body: { message: 'Request body is not processable', errors } };
    // One that is open is only counted.
    if (!alerts.has(value.alias)) alerts.set(value.alias, 'triggered');
    return accepted;
  },
};
