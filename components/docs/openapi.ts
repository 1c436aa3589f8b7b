/** The parts of JSON Schema that the document uses. */
export type DocSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: DocSchema;
  properties?: Record<string, DocSchema>;
  required?: string[];
  additionalProperties?: boolean | DocSchema;
  anyOf?: DocSchema[];
  oneOf?: DocSchema[];
};

type Content = { content?: { 'application/json'?: { schema?: DocSchema; example?: unknown } } };

/** The type of a body that is a file; null for any other. */
export function fileTypeOf(message: { content?: object } | undefined): string | null {
  const [type = null] = Object.keys(message?.content ?? {});
  return type === 'application/json' ? null : type;
}

export type Parameter = {
  in: 'path' | 'query' | 'header' | 'cookie';
  name: string;
  required?: boolean;
  description?: string;
  schema?: DocSchema;
};

export type ApiOperation = {
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses?: Record<string, Content & { description?: string; headers?: Record<string, unknown> }>;
};

export const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

export type Components = Record<string, DocSchema>;

/** The parts of an OpenAPI document that the reference uses. */
export type ApiDocument = {
  servers?: { url: string }[];
  paths?: Record<string, Partial<Record<Verb, ApiOperation>>>;
  webhooks?: Record<string, { post?: ApiOperation }>;
  components?: { schemas?: Components };
};

/** The name of the component that a schema refers to, or null. */
export function refName({ $ref }: DocSchema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** The schema, or the component it refers to; `{}` (anything) if that is missing. */
export function resolve(schema: DocSchema, components: Components): DocSchema {
  const name = refName(schema);
  return name === null ? schema : (components[name] ?? {});
}

/** The JSON schema of a request or response body. */
export function jsonSchema(message: Content | undefined): DocSchema | null {
  return message?.content?.['application/json']?.schema ?? null;
}

/** The example of a request or response body. */
export function exampleOf(message: Content | undefined): unknown {
  return message?.content?.['application/json']?.example;
}
