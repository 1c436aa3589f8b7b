import type { createDocument } from 'zod-openapi';
import {
  completeSchema,
  exampleOf,
  exampleRequest,
  openSchema,
  type Schema,
  type Schemas,
} from './complete-schemas';
import { ERROR_MESSAGES, HEADERS } from './headers';

type Document = ReturnType<typeof createDocument>;

type Content = Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>;
type Operation = {
  operationId: string;
  parameters?: { in: string; name: string; schema?: Schema; description?: string; required?: boolean }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Raw = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas; headers?: unknown; examples?: unknown };
};

/**
 * Adds to a document what generators and readers need besides the rules: names of request bodies, examples, and bounds.
 */
export function completeDocument(document: Document): Document {
  const raw: Raw = JSON.parse(JSON.stringify(document));
  const { schemas } = raw.components;
  const operations = [raw.paths, raw.webhooks].flatMap((paths) =>
    Object.values(paths).flatMap((methods) => Object.values(methods)),
  );
  for (const operation of operations) nameBody(operation, schemas);
  for (const { post } of Object.values(raw.webhooks)) openBody(post, schemas);
  for (const schema of Object.values(schemas)) completeSchema(schema);
  for (const operation of operations) completeOperation(operation, schemas);
  raw.components.headers = HEADERS;
  raw.components.examples = Object.fromEntries(
    // Of paths with other methods: no operation lists it.
    Object.entries(ERROR_MESSAGES)
      .filter(([code]) => code !== 'METHOD_NOT_ALLOWED')
      .map(([code, message]) => {
        const requestId = '0190f3a2-7c4e-7b1d-9a55-2f1c3d4e5f60';
        return [code, { summary: code, value: { error: { code, message, requestId } } }];
      }),
  );
  return raw as unknown as Document;
}

/** Gives the body a name, so that generated clients have a type for it. */
function nameBody({ operationId, requestBody }: Operation, schemas: Schemas): void {
  const media = requestBody?.content['application/json'];
  if (!media?.schema || media.schema.$ref !== undefined) return;
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  schemas[name] = media.schema;
  media.schema = { $ref: `#/components/schemas/${name}` };
}

/** What a client receives can gain new fields, in webhooks as in responses. */
function openBody(operation: Operation | undefined, schemas: Schemas): void {
  const { $ref = '' } = operation?.requestBody?.content['application/json']?.schema ?? {};
  const schema = schemas[$ref.split('/').at(-1) ?? ''];
  if (schema) openSchema(schema);
}

function completeOperation(
  { operationId, parameters = [], requestBody, responses }: Operation,
  schemas: Schemas,
) {
  for (const parameter of parameters) completeParameter(parameter);
  for (const media of Object.values(requestBody?.content ?? {})) {
    // A client receives all fields of a webhook, but sends only those that it wants to set.
    const compose = operationId.startsWith('on') ? exampleOf : exampleRequest;
    completeMedia(media, (schema) => compose(schema, schemas));
  }
  for (const { content } of Object.values(responses)) {
    for (const media of Object.values(content ?? {})) {
      completeMedia(media, (schema) => exampleOf(schema, schemas));
    }
  }
}

function completeMedia(media: Content[string], compose: (schema: Schema) => unknown): void {
  if (!media.schema) return;
  completeSchema(media.schema);
  if (media.examples === undefined) media.example = compose(media.schema);
}

/** A query parameter is described like a property. */
function completeParameter(parameter: NonNullable<Operation['parameters']>[number]): void {
  if (!parameter.schema || parameter.in !== 'query') return;
  completeSchema({ properties: { [parameter.name]: parameter.schema } });
  parameter.description ??= parameter.schema.description ?? '';
}
