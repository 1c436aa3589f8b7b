import type { z } from 'zod';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { IS_PRODUCTION } from '@/lib/env';
import { compileOutput } from '@/lib/schemas/compile-output';
import { parseInput } from '@/lib/schemas/validation';
import { respondConditionally } from './conditional';
import { countVisitor } from './count-visitor';
import type { Handle, Operation } from './operation';
import { beginVisit, refusalHeaders, type Visit } from './page-access/visit';
import { ANY_ORIGIN, commonHeaders, problemResponse } from './problem';
import { RateLimitedError } from './rate-limit';
import { readQuery } from './read-input';
import { getWeb } from './server-services';

/** An operation on a status page for its visitors, from any web page, without a key. */
export type PublicOperation<Query extends z.ZodType, Output extends z.ZodType> = {
  /** The name of the function in generated clients. */
  operationId: string;
  /** One line for the reference. */
  summary: string;
  query: Query;
  output: Output;
  /** Admits the visitor to the page, which decides who may keep the response; errors are not cached. */
  run(call: { services: Services; query: z.output<Query>; admit: Visit['admit'] }): Promise<z.input<Output>>;
};

/** One method of a route for visitors: cacheable if the page is public, with ETag, and readable by scripts of any origin. */
export function publicOperation<Query extends z.ZodType, Output extends z.ZodType>(
  definition: PublicOperation<Query, Output>,
): Operation {
  const write = compileOutput(definition.output, { isChecked: !IS_PRODUCTION });
  const handle = forVisitors(async (request, _params, { requestId }) => {
    const query = parseInput(definition.query, readQuery(request));
    const visit = beginVisit(request, 'data');
    const { visitorServices: services } = getWeb();
    const output = await definition.run({ services, query, admit: visit.admit });
    return respondConditionally(request, write(output), {
      ...commonHeaders(requestId),
      ...(visit.isForAnyOrigin() ? ANY_ORIGIN : {}),
      ...visit.headers(),
    });
  });
  return { handle, description: { ...definition, scope: 'public', status: 200, isPaged: false } };
}

/** A handle that counts visits and lets scripts of any origin read errors, unless `respondTo` handles them. */
export function forVisitors(
  handle: Handle,
  respondTo: (error: DomainError, requestId: string) => Response | null = () => null,
): Handle {
  return async (request, params, call) => {
    const { requestId, headers } = call;
    try {
      Object.assign(headers, await countVisitor(request));
      return await handle(request, params, call);
    } catch (error) {
      // Internal errors are logged by the route.
      if (!(error instanceof DomainError)) throw error;
      const limits = error instanceof RateLimitedError ? error.headers : headers;
      const other = respondTo(error, requestId);
      if (other === null) {
        const own = { ...ANY_ORIGIN, ...limits, ...refusalHeaders(error) };
        return problemResponse(error, requestId, own);
      }
      for (const [name, value] of Object.entries(limits)) other.headers.set(name, value);
      return other;
    }
  };
}

/** Responds to a CORS preflight for a path with these methods. */
export function preflight(methods: readonly string[]): Handle {
  const allowed = methods.join(', ');
  return async (_request, _params, { requestId }) =>
    new Response(null, {
      status: 204,
      headers: {
        ...commonHeaders(requestId),
        ...ANY_ORIGIN,
        Allow: allowed,
        'Access-Control-Allow-Methods': allowed,
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': '86400',
      },
    });
}
