import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { ErrorCode } from '@/lib/core/errors';
import { eventSchemas } from '@/lib/schemas/webhooks/events';
import type { Description } from './operation';
import { ERROR_STATUS, problemSchema } from './problem';

/** One method of a path, as documented. */
export type DescribedOperation = Description & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `/monitors/{id}`. */
  path: string;
};

/** The OpenAPI 3.1 document of the API, from the schemas that validate it. `baseUrl` ends in `/api`. */
export function describeApi(
  operations: readonly DescribedOperation[],
  { serviceName, baseUrl }: { serviceName: string; baseUrl: string },
) {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: `${serviceName} API`,
      version: '1',
      description:
        'Monitors, incidents, status pages and webhooks. All dates are ISO 8601 in UTC with milliseconds; absent values are null.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
      },
    },
    paths,
    webhooks: Object.fromEntries(
      Object.entries(eventSchemas).map(([kind, schema]) => [kind, { post: describeEvent(kind, schema) }]),
    ),
  });
}

function describeOperation(operation: DescribedOperation): ZodOpenApiOperationObject {
  const { method, path, summary, description, scope, query, body, bodyIsOptional } = operation;
  const { output, status, otherStatus, isPaged } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, z.string()]));
  return {
    operationId: `${method}${path.replace(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tagOf(operation)],
    summary,
    ...(description ? { description } : {}),
    ...(scope === 'public' ? { security: [] } : {}),
    requestParams: {
      ...(names.length > 0 ? { path: z.object(parameters) } : {}),
      ...(query ? { query: query as z.ZodObject } : {}),
      ...(isKept(operation) ? { header: idempotencyHeader } : {}),
    },
    ...(body
      ? { requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: {
      [String(status)]: {
        description: status === 201 ? 'Created' : 'OK',
        ...(isPaged ? { headers: z.object({ Link: linkHeader, 'X-Total-Count': totalHeader }) } : {}),
        content: { 'application/json': { schema: isPaged ? z.array(output) : output } },
      },
      ...(otherStatus
        ? {
            [String(otherStatus)]: {
              description: 'Unhealthy',
              content: { 'application/json': { schema: output } },
            },
          }
        : {}),
      ...describeErrors(operation, names.length > 0),
    },
  };
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'The same key and body within 24 hours have the effect once' }),
});

const linkHeader = z.string().optional().meta({ description: 'The next page: <…>; rel="next"' });

const totalHeader = z
  .string()
  .optional()
  .meta({ description: 'The number of all that match, of lists that are returned whole by default' });

/** Whether a request with an Idempotency-Key has its effect once. */
function isKept({ method, scope, keepsNothing }: DescribedOperation): boolean {
  return method === 'post' && scope !== 'public' && !keepsNothing;
}

/** The errors that a caller can receive, by HTTP status. */
function describeErrors(operation: DescribedOperation, hasParameters: boolean) {
  const { method, scope, body, query, errors = [] } = operation;
  // Health checks are not limited.
  const isLimited = scope !== 'public' || query !== undefined;
  const codes: ErrorCode[] = [
    // Operations without query parameters reject them too.
    ...(query || scope !== 'public' ? (['VALIDATION_ERROR'] as const) : []),
    ...(body ? (['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(scope === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(scope === 'write' ? (['FORBIDDEN'] as const) : []),
    ...errors,
    ...(method === 'put' ? (['CONFLICT'] as const) : []),
    'PRECONDITION_FAILED',
    ...(hasParameters || (scope === 'public' && query) ? (['NOT_FOUND'] as const) : []),
    ...(isKept(operation) ? (['IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const) : []),
    ...(isLimited ? (['RATE_LIMITED'] as const) : []),
    'INTERNAL_ERROR',
  ];
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const description = codes.filter((code) => ERROR_STATUS[code] === status).join(', ');
      return [String(status), { description, content: { 'application/json': { schema: problemSchema } } }];
    }),
  );
}

function describeEvent(kind: string, schema: z.ZodType): ZodOpenApiOperationObject {
  return {
    summary: `${kind}, sent to webhook endpoints`,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. Anything else, or no response within 30 s, is retried.' },
    },
  };
}

/** The first part of the path. */
function tagOf({ path }: Pick<DescribedOperation, 'path'>): string {
  return path.split('/')[1] ?? '';
}
