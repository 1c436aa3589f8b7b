/** The parts of JSON Schema that the document uses. */
export type Schema = {
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
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

type Content = { content?: { 'application/json'?: { schema?: Schema; example?: unknown } } };

export type Parameter = {
  in: 'path' | 'query' | 'header' | 'cookie';
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
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

export type Components = Record<string, Schema>;

/** The parts of an OpenAPI document that the reference uses. */
export type ApiDocument = {
  servers?: { url: string }[];
  paths?: Record<string, Partial<Record<Verb, ApiOperation>>>;
  webhooks?: Record<string, { post?: ApiOperation }>;
  components?: { schemas?: Components };
};

/** The name of the component that a schema refers to, or null. */
export function refName({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** The schema, or the component it refers to; `{}` (anything) if that is missing. */
export function resolve(schema: Schema, components: Components): Schema {
  const name = refName(schema);
  return name === null ? schema : (components[name] ?? {});
}

/** The JSON schema of a request or response body. */
export function jsonSchema(message: Content | undefined): Schema | null {
  return message?.content?.['application/json']?.schema ?? null;
}

/** The example of a request or response body. */
export function exampleOf(message: Content | undefined): unknown {
  return message?.content?.['application/json']?.example;
}
