import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { authenticateApiKey } from '@/lib/auth/authenticate-api-key';
import { type OrganizationContext, requireWrite } from '@/lib/context/organization-context';
import { DomainError } from '@/lib/core/errors';
import { parseInput } from '@/lib/schemas/validation';
import { commonHeaders, problemResponse } from './problem';
import { readJsonBody } from './read-json-body';
import { getWeb } from './server-services';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];
/** The dynamic parts of the paths below app/api. */
type Params = { id?: string; path?: string[] };
type NextHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/** What one method of a route does: who may call it, what it takes, what it answers. */
export type Operation<Body extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = {
  /** `write` refuses keys that may only read. */
  scope: 'read' | 'write';
  body?: Body;
  output: Output;
  /** The status of success; 200 unless set. */
  status?: number;
  run(call: { ctx: OrganizationContext; body: z.output<Body>; params: Params }): Promise<z.input<Output>>;
};

/** One method of a route; the body's and the answer's types come from their schemas. */
export function operation<Body extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Body, Output>,
): Handle {
  return async (request, params, requestId) => {
    const { services } = getWeb();
    const ctx = await authenticateApiKey(services, request.headers.get('authorization'));
    if (definition.scope === 'write') requireWrite(ctx);
    const body = definition.body ? parseInput(definition.body, await readJsonBody(request)) : undefined;
    const answer = await definition.run({ ctx, body: body as z.output<Body>, params });
    const output = definition.output.parse(answer);
    return Response.json(output, { status: definition.status ?? 200, headers: commonHeaders(requestId) });
  };
}

/** Does one call; throws what is to be answered as a refusal. */
type Handle = (request: Request, params: Params, requestId: string) => Promise<Response>;

/**
 * The exports of a `route.ts`: each operation wrapped in request id and error table, and 405 with Allow for the methods
 * that the path does not have.
 */
export function route(operations: Partial<Record<Method, Handle>>): Record<Method, NextHandler> {
  const handles = operations.GET ? { HEAD: operations.GET, ...operations } : operations;
  const allow = METHODS.filter((method) => handles[method]).join(', ');
  const refuse: Handle = async (request) => {
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      `This path does not take ${request.method}; it takes ${allow}.`,
    );
  };
  const entries = METHODS.map((method) => [method, wrap(handles[method] ?? refuse, allow)] as const);
  return Object.fromEntries(entries) as Record<Method, NextHandler>;
}

function wrap(handle: Handle, allow: string): NextHandler {
  return async (request, { params }) => {
    const requestId = randomUUID();
    try {
      return await handle(request, await params, requestId);
    } catch (error) {
      if (!(error instanceof DomainError)) {
        const { pathname } = new URL(request.url);
        getWeb().log.error(
          { err: error, requestId, method: request.method, path: pathname },
          'request failed',
        );
      }
      const isMethodError = error instanceof DomainError && error.code === 'METHOD_NOT_ALLOWED';
      return problemResponse(error, requestId, isMethodError ? { Allow: allow } : {});
    }
  };
}
