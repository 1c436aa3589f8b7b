import { expect, it } from 'vitest';
import { describeChange } from './record-audit';

it('keeps the fields that differ, and only those', () => {
  expect(describeChange({ name: 'API', interval: 60 }, { name: 'API', interval: 30 })).toEqual({
    before: { interval: 60 },
    after: { interval: 30 },
  });
});

it('of a thing that was made or removed there is one side', () => {
  expect(describeChange(null, { name: 'API' })).toEqual({ before: null, after: { name: 'API' } });
  expect(describeChange({ name: 'API' }, null)).toEqual({ before: { name: 'API' }, after: null });
});

it('lists are compared by what they hold', () => {
  expect(describeChange({ tags: ['a'] }, { tags: ['a'] })).toEqual({ before: {}, after: {} });
  expect(describeChange({ tags: ['a'] }, { tags: ['b'] }).after).toEqual({ tags: ['b'] });
});

it('says that a secret changed and never what it is', () => {
  const before = { headers: { Authorization: 'Bearer one' }, body: 'one', secretSealed: 'one' };
  const after = { headers: { Authorization: 'Bearer two' }, body: null, secretSealed: 'two' };
  expect(describeChange(before, after)).toEqual({
    before: { headers: { Authorization: '(hidden)' }, body: '(hidden)', secretSealed: '(hidden)' },
    after: { headers: { Authorization: '(hidden)' }, body: null, secretSealed: '(hidden)' },
  });
});

it('of a receiver it keeps the host, and that the rest of its address changed', () => {
  expect(
    describeChange({ receiver: 'https://hooks.example/a' }, { receiver: 'https://hooks.example/b' }),
  ).toEqual({
    before: { receiver: 'https://hooks.example/(hidden)' },
    after: { receiver: 'https://hooks.example/(hidden)' },
  });
});

it('what only follows from a change is left out', () => {
  expect(
    describeChange({ updatedAt: 'a', lastCheckedAt: 'a' }, { updatedAt: 'b', lastCheckedAt: 'b' }),
  ).toEqual({
    before: {},
    after: {},
  });
});
