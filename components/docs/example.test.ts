import { describe, expect, it } from 'vitest';
import { exampleId, exampleOf, exampleRequest } from './example';
import type { Schema } from './openapi';

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});

describe('the example of an answer', () => {
  it('holds every field, with a value that its type, list or pattern allows', () => {
    const schema = object({
      id: { type: 'string', pattern: '^mon_' },
      type: { type: 'string', enum: ['http', 'tcp'] },
      kind: { const: 'fixed' },
      since: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      tries: { type: 'integer', minimum: 3, maximum: 9 },
      isOpen: { type: 'boolean' },
    });
    expect(exampleOf(schema, {})).toEqual({
      id: expect.stringMatching(/^mon_\w{26}$/),
      type: 'http',
      kind: 'fixed',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tries: 3,
      isOpen: false,
    });
  });

  it('follows references and names ids after the object that they are of', () => {
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

  it('takes the well-known value of a field only where the schema allows it', () => {
    expect(exampleOf(object({ region: { type: 'string', enum: ['eu-west'] } }), {})).toEqual({
      region: 'eu-west',
    });
    expect(exampleOf(object({ name: { type: 'integer', minimum: 7 } }), {})).toEqual({ name: 7 });
    expect(exampleOf(object({ ref: { type: 'string' } }), {})).toEqual({ ref: 'text' });
  });
});

describe('the example of a request', () => {
  it('holds what is required, and of the rest only what is worth showing', () => {
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

  it('changes little where nothing is required', () => {
    const schema = object({ id: {}, name: { type: 'string' }, note: { type: 'string' } });
    expect(exampleRequest(schema, {})).toEqual({ name: 'Checkout API' });
  });
});
