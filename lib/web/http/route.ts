import { randomUUID } from 'node:crypto';
import { DomainError, TooSoonError } from '@/lib/core/errors';
import { currentRequest, runInRequest } from '@/lib/core/request-context';
import type { Description, Handle, Operation, Params, Represent } from './operation';
import { problemResponse } from './problem';
import { RateLimitedError } from './rate-limit';
import { getWeb } from './server-services';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** A handler for Next, with its part of the API document; null: none. */
export type NextHandler = {
  (request: Request, context: { params: Promise<Params> }): Promise<Response>;
  description: Description | null;
};

type Operations = Partial<Record<Method, Operation | Handle>>;

/**
 * The operations of a resource, by path as in the document and by method. Each path has a folder, whose `route.ts` exports what this
 * returns for it.
 */
export function resource<Path extends `/${string}`>(
  table: Record<Path, Operations>,
): Record<Path, Record<Method, NextHandler>> {
  const entries = Object.entries<Operations>(table).map(([path, operations]) => [path, route(operations)]);
  return Object.fromEntries(entries);
}

/** The exports of a `route.ts`: operations with request ID and errors, and 405 for other methods. */
export function route(operations: Operations): Record<Method, NextHandler> {
  const known = operations.GET ? { HEAD: handleOf(operations.GET), ...operations } : operations;
  const allow = METHODS.filter((method) => known[method]).join(', ');
  const reject: Handle = async (request) => {
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not supported at this path. Use ${allow}.`,
    );
  };
  const { GET: read } = operations;
  const represent = (typeof read === 'object' && read.represent) || null;
  const entries = METHODS.map(
    (method) => [method, wrap(known[method] ?? reject, { allow, represent })] as const,
  );
  return Object.fromEntries(entries) as Record<Method, NextHandler>;
}

function handleOf(operation: Operation | Handle): Handle {
  return typeof operation === 'function' ? operation : operation.handle;
}

function wrap(
  operation: Operation | Handle,
  { allow, represent }: { allow: string; represent: Represent | null },
): NextHandler {
  const handle = handleOf(operation);
  const handler = async (request: Request, { params }: { params: Promise<Params> }): Promise<Response> => {
    // Our server has begun one, unless it requests a page for several visitors.
    const context = currentRequest() ?? { requestId: randomUUID() };
    const { requestId } = context;
    const headers: Record<string, string> = {};
    return runInRequest(context, async () => {
      try {
        return await handle(request, await params, { requestId, headers, represent });
      } catch (error) {
        if (!(error instanceof DomainError)) {
          const { pathname } = new URL(request.url);
          getWeb().log.error({ err: error, method: request.method, path: pathname }, 'request failed');
        }
        return problemResponse(error, requestId, { ...headers, ...ownHeaders(error, allow) });
      }
    });
  };
  return Object.assign(handler, {
    description: typeof operation === 'function' ? null : operation.description,
  });
}

function ownHeaders(error: unknown, allow: string): Record<string, string> {
  if (error instanceof RateLimitedError) return error.headers;
  if (error instanceof TooSoonError) return { 'Retry-After': String(error.retryAfter) };
  return error instanceof DomainError && error.code === 'METHOD_NOT_ALLOWED' ? { Allow: allow } : {};
}
