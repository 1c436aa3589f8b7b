import { describe, expect, it } from 'vitest';
import { describeField, listFields, listIgnored, nameType } from './fields';

describe('the fields of a schema', () => {
  it('are one per row, followed by those of nested objects and arrays', () => {
    const schema = {
      type: 'object',
      properties: {
        theme: { type: 'object', properties: { primaryColor: { type: 'string' } } },
        updates: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        owner: { $ref: '#/components/schemas/User' },
      },
      required: ['owner'],
    };
    const fields = listFields(schema, { User: { type: 'object', properties: { id: { type: 'string' } } } });
    expect(fields.map(({ path, type, required }) => `${path}: ${type}${required ? '!' : ''}`)).toEqual([
      'theme: object',
      'theme.primaryColor: string',
      'updates: array of object',
      'updates[].id: string',
      'owner: User!',
    ]);
  });

  it('exclude ignored fields, which are listed separately', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' }, id: {}, createdAt: {} } };
    expect(listFields(schema, {}).map(({ path }) => path)).toEqual(['name']);
    expect(listIgnored(schema)).toEqual(['id', 'createdAt']);
  });
});

describe('one field', () => {
  it('shows its default, values and limits in words', () => {
    expect(
      describeField('timeout', { type: 'integer', minimum: 1, maximum: 60, default: 30 }, false),
    ).toEqual(expect.objectContaining({ default: '30', limits: ['1–60'] }));
    const name = { type: 'string', minLength: 1, maxLength: 100 };
    expect(describeField('name', name, true).limits).toEqual(['1–100 characters']);
    expect(describeField('id', { type: 'string', pattern: '^mon_' }, true).limits).toEqual([
      'begins with mon_',
    ]);
    const events = { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 };
    expect(describeField('events', events, true)).toEqual(
      expect.objectContaining({ type: 'array of string', values: ['a', 'b'], limits: ['at most 2 items'] }),
    );
  });

  it('ignores null, and the limits of safe integers', () => {
    const count = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const field = describeField('count', { anyOf: [count, { type: 'null' }] }, true);
    expect(field).toEqual(expect.objectContaining({ type: 'integer or null', limits: [] }));
    expect(nameType({ type: ['string', 'null'] })).toBe('string or null');
  });
});
