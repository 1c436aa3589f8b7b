import { z } from 'zod';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { identify, type Operation, type Params, readCall } from './operation';
import { commonHeaders } from './problem';

/** A GET that streams CSV to authorized callers; errors are JSON as usual. */
export function csvOperation<Query extends z.ZodType>(definition: {
  operationId: string;
  summary: string;
  description?: string;
  scope: 'read' | 'write';
  query: Query;
  /** The file name, without date and extension. */
  name: string;
  /** Must throw before it yields: later errors can only abort the response. */
  run(call: {
    ctx: OrganizationContext;
    query: z.output<Query>;
    params: Params;
  }): AsyncGenerator<string> | Promise<AsyncGenerator<string>>;
}): Operation {
  return {
    description: { ...definition, output: z.string(), status: 200, isPaged: false, contentType: 'text/csv' },
    handle: async (request, params, { requestId, headers }) => {
      const ctx = await identify(definition.scope, request, headers);
      const call = await readCall<z.ZodType, Query>({ query: definition.query }, ctx, request, params);
      const day = ctx.clock.now().toISOString().slice(0, 10);
      return csvResponse(await definition.run(call), {
        name: `${definition.name}-${day}.csv`,
        headers: { ...commonHeaders(requestId), ...headers },
      });
    },
  };
}

/** Responds with CSV as a download, streamed: the next part is created when the reader has consumed the last. */
export function csvResponse(
  parts: AsyncGenerator<string>,
  { name, headers = {} }: { name: string; headers?: Record<string, string> },
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}
