import { describe, expect, it } from 'vitest';
import { DomainError, describeError, formatProblem, StartupError } from './errors';

describe('a full disk is called that', () => {
  const NO_SPACE = 'could not extend file "base/1": No space left on device';

  it.each([
    ['of the system', Object.assign(new Error('ENOSPC, write'), { code: 'ENOSPC' }), 'ENOSPC, write'],
    ['of a quota', Object.assign(new Error('EDQUOT, write'), { code: 'EDQUOT' }), 'EDQUOT, write'],
    ['of PostgreSQL', Object.assign(new Error('could not extend'), { code: '53100' }), 'could not extend'],
    ['by its text', new Error(NO_SPACE), NO_SPACE],
    ['as a cause', new Error('the query failed', { cause: new Error(NO_SPACE) }), 'the query failed'],
  ])('%s', (_, error, message) => {
    expect(describeError(error)).toBe(`the disk is full: ${message}`);
  });

  it('once', () => {
    const cause = new Error(NO_SPACE);
    const said = new StartupError('it cannot be written: the disk is full; free some space', { cause });
    expect(describeError(said)).toBe(said.message);
  });

  it('and nothing else is', () => {
    expect(describeError(new Error('connection refused'))).toBe('connection refused');
    expect(describeError('text')).toBe('text');
  });
});

describe('a problem as one line', () => {
  const blocked = (path: string) => [{ path, code: 'blocked_target', message: 'is blocked' }];

  it.each([
    ['does not repeat what its only detail repeats', blocked('url'), 'This address is blocked.'],
    ['names the part of a field', blocked('resolvers.0'), 'This address is blocked. resolvers.0 is blocked.'],
    [
      'has every detail of several',
      [...blocked('a'), ...blocked('b')],
      'This address is blocked. a is blocked. b is blocked.',
    ],
  ])('%s', (_, details, line) => {
    expect(formatProblem(new DomainError('BLOCKED_TARGET', 'This address is blocked.', details))).toBe(line);
  });
});
