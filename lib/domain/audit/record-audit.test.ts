import { expect, it } from 'vitest';
import { diffFields } from './record-audit';

it('keeps the fields that differ, and only those', () => {
  expect(diffFields({ name: 'API', interval: 60 }, { name: 'API', interval: 30 })).toEqual({
    before: { interval: 60 },
    after: { interval: 30 },
  });
});

it('of a thing that was made or removed there is one side', () => {
  expect(diffFields(null, { name: 'API' })).toEqual({ before: null, after: { name: 'API' } });
  expect(diffFields({ name: 'API' }, null)).toEqual({ before: { name: 'API' }, after: null });
});

it('lists are compared by what they hold', () => {
  expect(diffFields({ tags: ['a'] }, { tags: ['a'] })).toEqual({ before: {}, after: {} });
  expect(diffFields({ tags: ['a'] }, { tags: ['b'] }).after).toEqual({ tags: ['b'] });
});

it('says that a secret changed and never what it is', () => {
  const before = { headers: { Authorization: 'Bearer one' }, body: 'one', secretSealed: 'one' };
  const after = { headers: { Authorization: 'Bearer two' }, body: null, secretSealed: 'two' };
  expect(diffFields(before, after)).toEqual({
    before: { headers: { Authorization: '(hidden)' }, body: '(hidden)', secretSealed: '(hidden)' },
    after: { headers: { Authorization: '(hidden)' }, body: null, secretSealed: '(hidden)' },
  });
});

it('of a receiver it keeps the host, and that the rest of its address changed', () => {
  expect(
    diffFields({ receiver: 'https://hooks.example/a' }, { receiver: 'https://hooks.example/b' }),
  ).toEqual({
    before: { receiver: 'https://hooks.example/(hidden)' },
    after: { receiver: 'https://hooks.example/(hidden)' },
  });
});

it('what only follows from a change is left out', () => {
  expect(diffFields({ updatedAt: 'a', lastCheckedAt: 'a' }, { updatedAt: 'b', lastCheckedAt: 'b' })).toEqual({
    before: {},
    after: {},
  });
});
