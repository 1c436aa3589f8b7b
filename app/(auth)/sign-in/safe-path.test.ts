import { describe, expect, it } from 'vitest';
import { safePath } from './safe-path';

describe('the page shown after signing in', () => {
  it('is the requested page', () => {
    expect(safePath('/monitors/mon_1?tab=checks')).toBe('/monitors/mon_1?tab=checks');
  });

  it.each([
    'https://elsewhere.test/',
    '//elsewhere.test/',
    '/\\elsewhere.test/',
    '/.//elsewhere.test',
    '/\t/elsewhere.test',
    'javascript:alert(1)',
    '',
    undefined,
    '/sign-in',
  ])('is never %j', (callbackUrl) => {
    expect(safePath(callbackUrl)).toBe('/monitors');
  });
});
