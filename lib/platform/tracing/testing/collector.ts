import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { listenLocally } from '@/lib/testing/http-listener';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: z.array(attribute),
  status: z.object({ code: z.int().optional() }),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export type CollectedSpan = Omit<z.output<typeof span>, 'attributes'> & {
  service: unknown;
  attributes: Record<string, unknown>;
};

/** A collector that receives OTLP over HTTP as JSON. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (incoming, response) => {
    const { resourceSpans } = request.parse(await json(incoming));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = toRecord(resource.attributes)['service.name'];
      for (const one of scopeSpans.flatMap(({ spans: sent }) => sent)) {
        spans.push({ ...one, service, attributes: toRecord(one.attributes) });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const { url, close } = await listenLocally(server);
  return { url, spans, close };
}

function toRecord(attributes: z.output<typeof attribute>[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
