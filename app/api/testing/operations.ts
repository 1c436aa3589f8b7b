import { z } from 'zod';
import { METHODS } from '@/lib/web/http/route';
import { listOperations, writeDocument } from '../openapi.json/describe';
import { inlineReferences, type JsonSchema } from './json-schema';

/** An operation as documented. */
export type DocumentedOperation = {
  /** `POST /monitors/{id}`, for the name of a test. */
  name: string;
  method: string;
  path: string;
  scope: 'read' | 'write' | 'public';
  /** The status of success, and the schema of its body. */
  success: number;
  output: z.ZodType;
  /** Another status with the same body: 503 of an unhealthy service. */
  otherStatus: number | null;
  /** The schema of the body with 201, of a PUT that creates what its path names; null: it is 404. */
  createdOutput: z.ZodType | null;
  /** Every documented status, and those of errors with their codes. */
  statuses: number[];
  codes: string[];
  /** Null without a body, and for a file. */
  body: JsonSchema | null;
  /** Whether the body is a file. */
  isFile: boolean;
  bodyIsOptional: boolean;
  /** Of an object: the query parameters by name. */
  query: JsonSchema;
};

type Documented = {
  parameters?: { in: string; name: string; required?: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string }>;
};
type Document = {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, unknown> };
};

/** Every operation of every route that responds with JSON of its own, including future ones. */
export async function listDocumentedOperations(): Promise<DocumentedOperation[]> {
  const options = { serviceName: 'Pharos', baseUrl: 'http://pharos.test/api' };
  const document: Document = JSON.parse(await writeDocument(options));
  const read = (schema: unknown) => inlineReferences(schema, document.components.schemas) as JsonSchema;
  const own = listOperations().filter(
    ({ contentType, path }) => contentType === undefined && path !== '/openapi.json',
  );
  return own.map(
    ({
      method,
      path,
      scope,
      output,
      otherStatus = null,
      createdOutput = null,
      status,
      isPaged,
      bodyIsOptional = false,
    }) => {
      const documented = document.paths[path]?.[method];
      if (!documented) throw new Error(`${method} ${path} is not in the document`);
      const { parameters = [], requestBody, responses } = documented;
      const json = requestBody?.content['application/json'];
      const query = parameters.filter((parameter) => parameter.in === 'query');
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        scope,
        success: status,
        output: isPaged ? z.array(output) : output,
        otherStatus,
        createdOutput,
        statuses: Object.keys(responses).map(Number),
        codes: Object.values(responses).flatMap(({ description }) => description.split(', ')),
        body: json === undefined ? null : read(json.schema),
        isFile: requestBody !== undefined && json === undefined,
        bodyIsOptional,
        query: {
          type: 'object',
          properties: Object.fromEntries(query.map(({ name, schema }) => [name, read(schema)])),
          required: query.filter(({ required }) => required).map(({ name }) => name),
        },
      };
    },
  );
}

/** The methods that a path supports, and all others. */
export function listUnsupported(operations: DocumentedOperation[], path: string) {
  const own = operations.filter((operation) => operation.path === path).map(({ method }) => method);
  const supported = METHODS.filter(
    (method) =>
      own.includes(method) ||
      (method === 'HEAD' && own.includes('GET')) ||
      (method === 'OPTIONS' && path === '/status-pages/public'),
  );
  return { supported, others: METHODS.filter((method) => !supported.includes(method)) };
}
