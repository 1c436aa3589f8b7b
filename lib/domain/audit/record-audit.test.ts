import { expect, it } from 'vitest';
import { diffFields } from './record-audit';

it('keeps only the fields that differ', () => {
  expect(diffFields({ name: 'API', interval: 60 }, { name: 'API', interval: 30 })).toEqual({
    before: { interval: 60 },
    after: { interval: 30 },
  });
});

it('has one side if something was created or deleted', () => {
  expect(diffFields(null, { name: 'API' })).toEqual({ before: null, after: { name: 'API' } });
  expect(diffFields({ name: 'API' }, null)).toEqual({ before: { name: 'API' }, after: null });
});

it('compares lists by their items', () => {
  expect(diffFields({ tags: ['a'] }, { tags: ['a'] })).toEqual({ before: {}, after: {} });
  expect(diffFields({ tags: ['a'] }, { tags: ['b'] }).after).toEqual({ tags: ['b'] });
});

it('records that a secret changed but never its value', () => {
  const before = { headers: { Authorization: 'Bearer one' }, body: 'one', secretSealed: 'one' };
  const after = { headers: { Authorization: 'Bearer two' }, body: null, secretSealed: 'two' };
  expect(diffFields(before, after)).toEqual({
    before: { headers: { Authorization: '(hidden)' }, body: '(hidden)', secretSealed: '(hidden)' },
    after: { headers: { Authorization: '(hidden)' }, body: null, secretSealed: '(hidden)' },
  });
});

it('keeps the host of a receiver and hides the rest of its URL', () => {
  expect(
    diffFields({ receiver: 'https://hooks.example/a' }, { receiver: 'https://hooks.example/b' }),
  ).toEqual({
    before: { receiver: 'https://hooks.example/(hidden)' },
    after: { receiver: 'https://hooks.example/(hidden)' },
  });
});

it('omits side effects of a change', () => {
  expect(diffFields({ updatedAt: 'a', lastCheckedAt: 'a' }, { updatedAt: 'b', lastCheckedAt: 'b' })).toEqual({
    before: {},
    after: {},
  });
});
