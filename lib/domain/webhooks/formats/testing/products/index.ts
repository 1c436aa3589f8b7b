import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import type { ReceivedRequest } from '@/lib/testing/receiver';
import { ntfy } from './ntfy';
import { opsgenie } from './opsgenie';
import { pagerDuty } from './pager-duty';
import type { Alerts, Product, Reply } from './product';
import { pushover } from './pushover';
import { telegram } from './telegram';

/** The products that require credentials, by format, with the path below which each is served. */
export const PRODUCTS = {
  pagerduty: { product: pagerDuty, path: '/v2/enqueue' },
  opsgenie: { product: opsgenie, path: '/v2/alerts' },
  ntfy: { product: ntfy, path: '/' },
  telegram: { product: telegram, path: '/' },
  pushover: { product: pushover, path: '/1/messages.json' },
} as const satisfies Record<string, { product: Product; path: string }>;

export type ProductFormat = keyof typeof PRODUCTS;
export const PRODUCT_FORMATS = Object.keys(PRODUCTS) as ProductFormat[];

/** A product on this machine: it accepts what the product accepts, and nothing else. */
export type ServedProduct = HttpListener & {
  /** The URL of an endpoint. */
  endpoint: string;
  exchanges: { request: ReceivedRequest; reply: Reply }[];
  alerts: Alerts;
};

/** Starts a product on 127.0.0.1. */
export async function serveProduct(format: ProductFormat): Promise<ServedProduct> {
  const { product, path: base } = PRODUCTS[format];
  const exchanges: ServedProduct['exchanges'] = [];
  const alerts: Alerts = new Map();
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming), receivedAt: new Date() };
    const reply = product.respond(request, alerts);
    exchanges.push({ request, reply });
    response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  const listener = await listenLocally(server);
  return { ...listener, endpoint: listener.url + base, exchanges, alerts };
}
