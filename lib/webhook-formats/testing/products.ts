import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import type { ReceivedRequest } from '@/lib/testing/receiver';
import { DISCORD_PATH, discord } from '../discord/testing/product';
import { ntfy } from '../ntfy/testing/product';
import { opsgenie } from '../opsgenie/testing/product';
import { pagerDuty } from '../pagerduty/testing/product';
import { pushover } from '../pushover/testing/product';
import { slack } from '../slack/testing/product';
import { telegram } from '../telegram/testing/product';
import type { Alerts, ChatMessage, Product, Reply } from './product';

/** The products that require credentials, by format, with the path below which each is served. */
export const PRODUCTS = {
  pagerduty: { product: pagerDuty, path: '/v2/enqueue' },
  opsgenie: { product: opsgenie, path: '/v2/alerts' },
  ntfy: { product: ntfy, path: '/' },
  slack: { product: slack, path: '/api' },
  telegram: { product: telegram, path: '/' },
  pushover: { product: pushover, path: '/1/messages.json' },
} as const satisfies Record<string, { product: Product; path: string }>;

export type ProductFormat = keyof typeof PRODUCTS;
export const PRODUCT_FORMATS = Object.keys(PRODUCTS) as ProductFormat[];

/** The products whose messages can be edited. */
export const CHATS = {
  slack: PRODUCTS.slack,
  discord: { product: discord, path: DISCORD_PATH },
  telegram: PRODUCTS.telegram,
} as const satisfies Record<string, { product: Product; path: string }>;
export type ChatFormat = keyof typeof CHATS;

/** A product on this machine: it accepts what the product accepts, and nothing else. */
export type ServedProduct = HttpListener & {
  /** The URL of an endpoint. */
  endpoint: string;
  exchanges: { request: ReceivedRequest; reply: Reply }[];
  alerts: Alerts;
  /** The messages that it shows, oldest first. */
  messages: ChatMessage[];
};

/** Starts a product on 127.0.0.1. */
export async function serveProduct(format: ProductFormat | ChatFormat): Promise<ServedProduct> {
  const { product, path: base }: { product: Product; path: string } = { ...PRODUCTS, ...CHATS }[format];
  const exchanges: ServedProduct['exchanges'] = [];
  const alerts: Alerts = new Map();
  const messages: ChatMessage[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await text(incoming), receivedAt: new Date() };
    const reply = product.respond(request, alerts, messages);
    exchanges.push({ request, reply });
    response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  const listener = await listenLocally(server);
  return { ...listener, endpoint: listener.url + base, exchanges, alerts, messages };
}
