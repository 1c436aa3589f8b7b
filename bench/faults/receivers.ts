import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type EndpointPlan, modeAt, type ReceiverMode } from './plan';
import { close, listen } from './targets';
import type { VirtualTime } from './virtual-time';

/** One request that a receiver got. `mode` is how it responded: only `accept` and `drip` acknowledge. */
export type Received = {
  /** Index of the endpoint in the plan. */
  endpoint: number;
  deliveryId: string;
  eventId: string;
  event: string;
  attempt: number;
  at: number;
  /** When it got a response; null if never. */
  respondedAt: number | null;
  bodyHash: string;
  body: string;
  mode: ReceiverMode;
};

export type Receivers = { received: Received[]; urlOf(endpoint: number): string; close(): Promise<void> };

/** A drip lasts shorter than the timeout of a delivery, in virtual milliseconds. */
const DRIP_MS = 10_000;

/** Starts one receiver per endpoint in this process, on one port. */
export async function startReceivers(endpoints: EndpointPlan[], time: VirtualTime): Promise<Receivers> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const number = Number(request.url?.slice(1));
    const endpoint = endpoints[number];
    if (!endpoint) return void response.writeHead(404).end();
    const at = time.now();
    const body = await text(request).catch(() => null);
    // The sender ended before the request did.
    if (body === null) return;
    const header = (name: string) => String(request.headers[name] ?? '');
    const mode = modeAt(endpoint.spells, time.elapsed());
    const entry: Received = {
      endpoint: number,
      deliveryId: header('x-service-delivery-id'),
      eventId: header('x-service-event-id'),
      event: header('x-service-event'),
      attempt: Number(header('x-service-attempt')),
      at,
      respondedAt: null,
      bodyHash: createHash('sha256').update(body).digest('hex'),
      body,
      mode,
    };
    received.push(entry);
    if (mode === 'hang') return;
    const end = (status: number) => {
      response.writeHead(status).end();
      entry.respondedAt = time.now();
    };
    if (mode === 'drip') setTimeout(end, DRIP_MS / time.factor, 200).unref();
    else end(mode === 'accept' ? 200 : 503);
  });
  const port = await listen(server);
  return {
    received,
    urlOf: (endpoint) => `http://127.0.0.1:${port}/${endpoint}`,
    close: () => close(server),
  };
}
