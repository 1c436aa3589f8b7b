import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listOperations } from '@/app/api/openapi.json/describe';
import { eventSchemas } from './webhooks/events';

/** Written by the service itself, like the results of operations; its length follows from its input. */
const WRITTEN_BY_US = [
  'testPayloadSchema',
  'eventPayloadSchema',
  'dryRunSchema',
  'instantSchema',
  'storedEvidenceSchema',
  'storedMemberRulesSchema',
  'storedRulesSchema',
];
/** Groups of such schemas. */
const WRITTEN_GROUPS = ['statuspageSchemas'];
/** From the operator's own environment. */
const SETTINGS = ['mailboxSchema'];

const modules = import.meta.glob<Record<string, unknown>>(['./**/*.ts', '!./**/*.test.ts'], { eager: true });
const exported = Object.entries(modules).flatMap(([path, module]) =>
  Object.entries(module).flatMap(([name, value]): [string, z.core.$ZodType][] => {
    if (value instanceof z.core.$ZodType) return [[`${path.slice(2)} ${name}`, value]];
    const parts =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
    return parts.flatMap(([key, part]): [string, z.core.$ZodType][] =>
      part instanceof z.core.$ZodType ? [[`${path.slice(2)} ${name}.${key}`, part]] : [],
    );
  }),
);
const operations = listOperations();
const taken = operations.flatMap(({ body, query }) => [body ?? [], query ?? []].flat());
const returned = new Set(
  [...operations.map(({ output }) => output), ...Object.values(eventSchemas)].flatMap(listOriginals),
);
for (const part of taken.flatMap(listOriginals)) returned.delete(part);

/** The parts of a schema, and what they copy: one with a description of its own is a copy of the exported one. */
function listOriginals(schema: z.core.$ZodType): z.core.$ZodType[] {
  return listParts(schema).flatMap((part) => [part, part._zod.parent ?? []].flat());
}

/** The direct children of a schema. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const shape = def.type === 'object' ? Object.values(def.shape as object) : [];
  // The output of a pipe is as bounded as its input, unless the input is unbounded.
  const opening = def.in as z.core.$ZodType | undefined;
  const isOpen = opening?._zod.def.type === 'transform';
  const { element, keyType, valueType, innerType, options, items, left, right, catchall } = def;
  const all = [
    shape,
    element,
    keyType,
    valueType,
    innerType,
    opening,
    isOpen ? def.out : [],
    options,
    items,
    left,
    right,
    catchall,
  ];
  return all.flat().filter((part) => part instanceof z.core.$ZodType);
}

/** A schema with all its descendants. */
function listParts(schema: z.core.$ZodType): z.core.$ZodType[] {
  return [schema, ...partsOf(schema).flatMap(listParts)];
}

/** The unbounded parts of a schema. */
function findUnbounded(schema: z.core.$ZodType, path: string): string[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const below = () => {
    if (def.type !== 'object') return partsOf(schema).flatMap((part) => findUnbounded(part, path));
    return Object.entries(def.shape as Record<string, z.core.$ZodType>).flatMap(([name, part]) =>
      findUnbounded(part, `${path}.${name}`),
    );
  };
  const checks = (def.checks ?? []) as { _zod: { def: { check: string } } }[];
  const isLimited = checks.some(({ _zod }) => /^(max_length|length_equals)$/.test(_zod.def.check));
  const meta = z.globalRegistry.get(schema) as { maxProperties?: number; propertyNames?: object } | undefined;
  switch (def.type) {
    case 'string':
      return isLimited ? [] : [`${path}: a string without max`];
    case 'array':
      return [...(isLimited ? [] : [`${path}: an array without max`]), ...below()];
    case 'record': {
      const isBounded = meta?.maxProperties !== undefined && meta.propertyNames !== undefined;
      const { valueType } = def as { valueType: z.core.$ZodType };
      return [
        ...(isBounded ? [] : [`${path}: a record without maxProperties and propertyNames`]),
        ...findUnbounded(valueType, path),
      ];
    }
    default:
      return below();
  }
}

describe('every schema of external input', () => {
  const inputs = exported.filter(
    ([name, schema]) =>
      !returned.has(schema) &&
      ![...WRITTEN_BY_US, ...SETTINGS].some((each) => name.endsWith(` ${each}`)) &&
      !WRITTEN_GROUPS.some((each) => name.includes(` ${each}.`)),
  );

  it.each(inputs)('%s bounds each array, string and record', (_, schema) => {
    expect(findUnbounded(schema, 'value')).toEqual([]);
  });

  it('is found', () => {
    const names = inputs.map(([name]) => name.split(' ')[1]);
    expect(names).toEqual(
      expect.arrayContaining(['createMonitorSchema', 'subscribeSchema', 'testRequestSchema']),
    );
    expect(inputs.length).toBeGreaterThan(40);
  });
});

it.each(operations.map(({ method, path, body, query }) => [`${method} ${path}`, body, query] as const))(
  '%s takes no body and no query that is not bounded',
  (_, body, query) => {
    expect([body, query].flatMap((schema) => (schema ? findUnbounded(schema, 'value') : []))).toEqual([]);
  },
);
