import { describe, expect, it } from 'vitest';
import { exampleId, exampleOf, exampleRequest } from './example';
import type { Schema } from './openapi';

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});

describe('an example response', () => {
  it('contains every field, with a value allowed by its type, list or pattern', () => {
    const schema = object({
      id: { type: 'string', pattern: '^mon_' },
      type: { type: 'string', enum: ['http', 'tcp'] },
      kind: { const: 'fixed' },
      since: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      retries: { type: 'integer', minimum: 3, maximum: 9 },
      isOpen: { type: 'boolean' },
    });
    expect(exampleOf(schema, {})).toEqual({
      id: expect.stringMatching(/^mon_\w{26}$/),
      type: 'http',
      kind: 'fixed',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      retries: 3,
      isOpen: false,
    });
  });

  it('follows references, and prefixes IDs by their object', () => {
    const components = { Incident: object({ id: { type: 'string' } }) };
    const schema = object({
      newest: { $ref: '#/components/schemas/Incident' },
      all: { type: 'array', items: { $ref: '#/components/schemas/Incident' } },
      monitor: object({ id: { type: 'string' } }),
    });
    expect(exampleOf(schema, components)).toEqual({
      newest: { id: exampleId('incident') },
      all: [{ id: exampleId('incident') }],
      monitor: { id: exampleId('monitor') },
    });
  });

  it('uses the known value of a field only if the schema allows it', () => {
    expect(exampleOf(object({ region: { type: 'string', enum: ['eu-west'] } }), {})).toEqual({
      region: 'eu-west',
    });
    expect(exampleOf(object({ name: { type: 'integer', minimum: 7 } }), {})).toEqual({ name: 7 });
    expect(exampleOf(object({ ref: { type: 'string' } }), {})).toEqual({ ref: 'text' });
  });
});

describe('an example request', () => {
  it('contains required fields, and only useful optional ones', () => {
    const schema = object(
      {
        name: { type: 'string' },
        interval: { type: 'integer', default: 60 },
        tlsVerify: { type: 'boolean', default: true },
      },
      ['name'],
    );
    expect(exampleRequest(schema, {})).toEqual({ name: 'Checkout API', interval: 60 });
  });

  it('changes little if nothing is required', () => {
    const schema = object({ id: {}, name: { type: 'string' }, note: { type: 'string' } });
    expect(exampleRequest(schema, {})).toEqual({ name: 'Checkout API' });
  });
});
