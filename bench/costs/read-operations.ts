import { inlineReferences, type JsonSchema } from '@/app/api/testing/json-schema';
import { get } from '../playground';

/** An operation of the API document of a running service. */
export type ApiOperation = {
  id: string;
  /** `POST /monitors/{id}`. */
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  body: JsonSchema | null;
  /** Whether the body is a file. */
  isFile: boolean;
  /** The names of its query parameters. */
  query: string[];
};

type Documented = {
  operationId: string;
  security?: unknown[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
};
type Document = {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, unknown> };
};

/** Reads the operations of the service at `origin`, in the order of their paths. */
export async function readOperations(origin: string): Promise<ApiOperation[]> {
  const { body } = await get(`${origin}/api/openapi.json`);
  const { paths, components }: Document = JSON.parse(body.toString());
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => ({
      id: operationId,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      isPublic: security?.length === 0,
      body: requestBody?.content['application/json']
        ? (inlineReferences(requestBody.content['application/json'].schema, components.schemas) as JsonSchema)
        : null,
      isFile: requestBody !== undefined && !('application/json' in requestBody.content),
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  );
  return operations.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}
