import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { ErrorCode } from '@/lib/core/errors';
import type { Description } from '../operation';
import { CODE_HEADERS, ERROR_STATUS, problemSchema } from '../problem';
import { completeDocument } from './complete-document';
import { describeEvents } from './describe-events';
import { type HeaderName, REQUEST_HEADERS, referTo } from './headers';
import { TAGS, tagOf } from './tags';

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
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: `${serviceName} API`,
        version: '1',
        description:
          'Monitors, incidents, status pages and webhooks. All dates are ISO 8601 in UTC with milliseconds; absent values are null. Responses can gain new fields at any time.',
        contact: { name: serviceName, url: baseUrl.replace(/\/api$/, '/docs') },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      security: [{ writeKey: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          readKey: { type: 'http', scheme: 'bearer', description: 'An API key with the scope read' },
          writeKey: { type: 'http', scheme: 'bearer', description: 'An API key with the scope write' },
        },
      },
      paths,
      webhooks: describeEvents(),
    },
    {
      override: ({ jsonSchema, io }) => {
        // Clients must accept new fields; requests with unknown ones are rejected.
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    },
  );
  return completeDocument(document);
}

/** A write key may also read. */
const SECURITY: Record<Description['scope'], Record<string, string[]>[]> = {
  public: [],
  read: [{ readKey: [] }, { writeKey: [] }],
  write: [{ writeKey: [] }],
};

function describeOperation(operation: DescribedOperation): ZodOpenApiOperationObject {
  const { operationId, path, summary, description, scope, query, body, file, bodyIsOptional } = operation;
  const { status, createdOutput, otherStatus } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: description ?? `${summary}.`,
    security: SECURITY[scope],
    requestParams: query ? { query: query as z.ZodObject } : {},
    parameters: [...names.map((name) => describePathParameter(path, name)), ...describeHeaders(operation)],
    ...(body
      ? { requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema: body } } } }
      : {}),
    ...(file ? { requestBody: { required: true, content: describeFile(file.types) } } : {}),
    responses: {
      [String(status)]: describeSuccess(operation, status === 201 ? 'Created' : 'OK'),
      ...(createdOutput
        ? {
            201: describeSuccess({ ...operation, output: createdOutput, hasLocation: true }, 'Created'),
          }
        : {}),
      ...(otherStatus ? { [String(otherStatus)]: describeSuccess(operation, 'Unhealthy') } : {}),
      ...describeErrors(operation, names.length > 0),
    },
  };
}

/** A file, by each of the types that it can have. */
function describeFile(types: readonly string[]) {
  const schema = { type: 'string' as const, format: 'binary' };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** The prefixes of IDs, by the part of the path before the ID. */
const PREFIXES: Record<string, string> = {
  monitors: 'mon',
  incidents: 'inc',
  'incident-templates': 'itp',
  events: 'mrk',
  maintenance: 'mnt',
  webhooks: 'whk',
  'email-recipients': 'eml',
  deliveries: 'del',
  'api-keys': 'key',
  members: 'usr',
  invitations: 'inv',
  subscribers: 'sub',
  tokens: 'prt',
  corrections: 'cor',
};

function describePathParameter(path: string, name: string) {
  const collection =
    path
      .slice(1, path.indexOf(`{${name}}`) - 1)
      .split('/')
      .at(-1) ?? '';
  const resource = collection.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ');
  const [description, example] = {
    slug: ['The slug or ID of the page', 'acme'],
    ref: ['Your own ID', 'checkout-api'],
  }[name] ?? [
    describeId(collection, resource),
    `${PREFIXES[collection] ?? 'obj'}_01kxk1j7c2e5x8q3n6w4r9t0zb`,
  ];
  const schema = { type: 'string' as const, minLength: 1, maxLength: 255, examples: [example] };
  return { in: 'path' as const, name, required: true, description, schema };
}

function describeId(collection: string, resource: string): string {
  const hasRef = collection === 'monitors' || collection === 'webhooks';
  return `The ID of the ${resource}${hasRef ? ', or `ref:` and its percent-encoded `ref`' : ''}`;
}

function describeHeaders(operation: DescribedOperation) {
  const { method, scope } = operation;
  const names: (keyof typeof REQUEST_HEADERS)[] = [
    ...(isKept(operation) ? (['Idempotency-Key'] as const) : []),
    ...(method === 'get' ? (['If-None-Match'] as const) : []),
    ...(scope === 'write' && (method === 'put' || method === 'delete')
      ? (['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const)
      : []),
  ];
  return names.map((name) => ({ ...REQUEST_HEADERS[name], in: 'header' as const, name, required: false }));
}

function describeSuccess(operation: DescribedOperation, description: string) {
  const { method, scope, output, isPaged, hasLocation, contentType = 'application/json' } = operation;
  const isJson = contentType === 'application/json';
  const names: HeaderName[] = [
    ...commonHeaders(operation),
    ...(method === 'get' && isJson && (scope !== 'public' || operation.query) ? (['ETag'] as const) : []),
    ...(isPaged ? (['Link', 'X-Total-Count'] as const) : []),
    ...(hasLocation ? (['Location'] as const) : []),
    ...(isKept(operation) ? (['Idempotent-Replayed'] as const) : []),
  ];
  const content = { [contentType]: { schema: isPaged ? z.array(output) : output } };
  return { description, headers: referTo(names), ...(contentType === 'none' ? {} : { content }) };
}

function commonHeaders({ scope }: DescribedOperation): HeaderName[] {
  const limits = scope === 'public' ? [] : (['RateLimit', 'RateLimit-Policy'] as const);
  return ['X-Request-Id', 'X-Api-Version', ...limits];
}

/** Whether a request with an Idempotency-Key has its effect once. */
function isKept({ method, scope, keepsNothing }: DescribedOperation): boolean {
  return method === 'post' && scope !== 'public' && !keepsNothing;
}

/** Whether a response with a code states when to retry. That of a rate limit depends on the request. */
function isRetried(code: ErrorCode): boolean {
  return code === 'RATE_LIMITED' || CODE_HEADERS[code]?.['Retry-After'] !== undefined;
}

/** The errors that a caller can receive, by HTTP status. */
function describeErrors(operation: DescribedOperation, hasParameters: boolean) {
  const { method, scope, body, file, query, otherStatus, errors = [] } = operation;
  // Health checks are not limited.
  const isLimited = scope !== 'public' || query !== undefined;
  const codes: ErrorCode[] = [
    // Operations without query parameters reject them too.
    ...(query || scope !== 'public' ? (['VALIDATION_ERROR'] as const) : []),
    ...(body ? (['INVALID_JSON'] as const) : []),
    ...(body || file ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(scope === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(scope === 'write' ? (['FORBIDDEN'] as const) : []),
    ...errors,
    ...(method === 'put' ? (['CONFLICT'] as const) : []),
    'PRECONDITION_FAILED',
    ...(hasParameters || (scope === 'public' && query) ? (['NOT_FOUND'] as const) : []),
    ...(isKept(operation) ? (['IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const) : []),
    ...(isLimited ? (['RATE_LIMITED'] as const) : []),
    'INTERNAL_ERROR',
    // A report of what is unavailable has this status too.
    ...(otherStatus === ERROR_STATUS.UNAVAILABLE ? [] : (['UNAVAILABLE'] as const)),
  ];
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERROR_STATUS[code] === status);
      const names: HeaderName[] = [
        ...commonHeaders(operation),
        ...(own.includes('UNAUTHORIZED') ? (['WWW-Authenticate'] as const) : []),
        ...(own.some(isRetried) ? (['Retry-After'] as const) : []),
      ];
      const examples = Object.fromEntries(
        own.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      );
      const content = { 'application/json': { schema: problemSchema, examples } };
      return [String(status), { description: own.join(', '), headers: referTo(names), content }];
    }),
  );
}
