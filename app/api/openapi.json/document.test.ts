import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventSchemas } from '@/lib/schemas/webhooks/events';
import { exampleOf, isUnknown, type Schema, type Schemas } from '@/lib/web/http/openapi/complete-schemas';
import { TAGS } from '@/lib/web/http/openapi/tags';
import { listOperations, writeDocument } from './describe';

type Media = { schema: Schema; example?: unknown };
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: { name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, Media> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Schemas };
};

const text = await writeDocument({ serviceName: 'Pharos', baseUrl: 'https://pharos.test/api' });
const document: Document = JSON.parse(text);
const { schemas } = document.components;
const none: Pick<Operation, 'responses'> = { responses: {} };
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const received = Object.values(document.webhooks).map(({ post }) => post);

function isSchema(value: object): value is Schema {
  return !Array.isArray(value) && ['type', 'properties', '$ref'].some((key) => key in value);
}

/** Calls `visit` with every schema below a value, and where it is. */
function walk(value: unknown, visit: (schema: Schema, at: string) => void, at = ''): void {
  if (typeof value !== 'object' || value === null) return;
  if (isSchema(value)) visit(value, at);
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(part, visit, `${at}/${key}`);
  }
}

/** Every schema that a value refers to, itself included. */
function reach(value: unknown, found = new Map<string, Schema>()): Map<string, Schema> {
  walk(value, (schema, at) => {
    const name = schema.$ref?.startsWith('#/components/schemas/')
      ? (schema.$ref.split('/').at(-1) ?? '')
      : null;
    if (name === null) found.set(at + found.size, schema);
    else if (!found.has(name)) {
      const target = schemas[name] ?? {};
      found.set(name, target);
      reach(target, found);
    }
  });
  return found;
}

describe('the OpenAPI document', () => {
  it("passes Redocly's recommended rules without a warning", async () => {
    // `/monitors/by-ref/{ref}` and `/monitors/{id}/results`: the prefix that every ID has distinguishes them.
    const rules = { 'no-ambiguous-paths': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source: text, config, absoluteRef: '/openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('names every operation with a verb, and no two alike', () => {
    const ids = [...operations, ...received].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const verbs =
      /^(list|get|create|update|delete|test|rotate|revoke|replay|recover|remove|invite|add|end|backtest|verify|finish|export|check|upsert|acknowledge|unacknowledge|import|resend|upload|on)[A-Z]\w+$/;
    expect(ids.filter((id) => !verbs.test(id))).toEqual([]);
  });

  it('describes every property and every parameter, with an example', () => {
    const missing: string[] = [];
    walk(document, ({ properties = {} }, at) => {
      for (const [name, property] of Object.entries(properties)) {
        if (!property.description) missing.push(`${at}/${name}: description`);
        const isComposed = isUnknown(property) || exampleOf(property, schemas) !== undefined;
        if (!isComposed) missing.push(`${at}/${name}: example`);
      }
    });
    for (const { operationId, parameters = [] } of operations) {
      for (const { name, description } of parameters)
        if (!description) missing.push(`${operationId} ${name}`);
    }
    expect(missing).toEqual([]);
  });

  it('bounds every integer to what every language can hold', () => {
    walk(document, (schema, at) => {
      if (schema.type !== 'integer' || schema.enum) return;
      expect(schema.minimum, at).toBeGreaterThanOrEqual(0);
      expect(schema.maximum, at).toBeLessThan(2 ** 31);
    });
  });

  it('is open in what the service sends, and closed in what it takes', () => {
    const sent = [
      ...operations.map(({ responses }) => responses),
      ...received.map(({ requestBody }) => requestBody),
    ];
    for (const [name, { additionalProperties }] of reach(sent))
      expect(additionalProperties, name).not.toBe(false);
    for (const { operationId, requestBody } of operations) {
      const media = requestBody?.content['application/json'];
      if (!media) continue;
      const body = schemas[media.schema.$ref?.split('/').at(-1) ?? ''];
      expect(body?.additionalProperties, operationId).toBe(false);
    }
  });

  it('lets requests leave out whatever has a default, and has it in every response', () => {
    const count = (part: unknown, isRequired: boolean) => {
      let defaults = 0;
      for (const [name, { properties = {}, required = [] }] of reach(part)) {
        for (const [field, { default: value }] of Object.entries(properties)) {
          if (value === undefined) continue;
          expect(required.includes(field), `${name}: ${field}`).toBe(isRequired);
          defaults += 1;
        }
      }
      return defaults;
    };
    expect(
      count(
        operations.map(({ requestBody }) => requestBody),
        false,
      ),
    ).toBeGreaterThan(100);
    expect(
      count(
        operations.map(({ responses }) => responses),
        true,
      ),
    ).toBeGreaterThan(10);
  });

  it('gives examples that its own schemas accept', async () => {
    for (const {
      path,
      method,
      operationId,
      body,
      output,
      createdOutput,
      status,
      isPaged,
    } of listOperations()) {
      const described = document.paths[path]?.[method];
      const sent = described?.requestBody?.content['application/json']?.example;
      if (body) expect(body.safeParse(sent).error, `${operationId}: ${JSON.stringify(sent)}`).toBeUndefined();
      const response = described?.responses[String(status)]?.content?.['application/json'];
      const schema = isPaged ? z.array(output) : output;
      if (response) expect(schema.safeParse(response.example).error, operationId).toBeUndefined();
      const created = createdOutput && described?.responses['201']?.content?.['application/json']?.example;
      if (created) expect(createdOutput.safeParse(created).error, operationId).toBeUndefined();
    }
    for (const [kind, schema] of Object.entries(eventSchemas)) {
      const example = document.webhooks[kind]?.post.requestBody?.content['application/json']?.example;
      expect(schema.safeParse(example).error, kind).toBeUndefined();
    }
  });

  it('has the same values for a field in what is fetched and in what is sent', () => {
    const [monitor, change] = [schemas.Monitor?.properties ?? {}, schemas.UpdateMonitor?.properties ?? {}];
    for (const name of ['interval', 'type', 'method']) {
      const sent = change[name]?.anyOf?.[0] ?? change[name];
      expect(monitor[name]?.enum, name).toEqual(sent?.enum);
    }
    const regions = change.regions?.anyOf?.[0]?.items?.pattern;
    expect(monitor.regions?.items?.pattern).toEqual(regions);
    expect(regions).toContain('us-east');
  });

  it('lists the headers of responses and of webhooks', () => {
    const { responses } = document.paths['/monitors']?.post ?? none;
    const headersOf = (status: string) => Object.keys(responses[status]?.headers ?? {});
    expect(headersOf('201')).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Location', 'Idempotent-Replayed']),
    );
    expect(headersOf('401')).toContain('WWW-Authenticate');
    expect(headersOf('429')).toContain('Retry-After');
    expect(Object.keys(document.webhooks)).toContain('webhook.test');
    for (const { parameters = [] } of received) {
      expect(parameters.map(({ name }) => name)).toContain('X-Service-Signature');
    }
  });

  it('has no group without operations', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(Object.keys(TAGS).filter((tag) => !used.has(tag))).toEqual([]);
  });
});
