import { Secret } from 'otpauth';
import { expect, it } from 'vitest';
import { createTotpSecret, findStep, totpCode, totpUri } from './totp';

/** The secret and the codes of RFC 6238, appendix B, whose last six digits count. */
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32;

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('agrees with RFC 6238 at second %i', (seconds, code) => {
  const at = new Date(seconds * 1000);
  expect(totpCode(RFC_SECRET, at)).toBe(code);
  expect(findStep(RFC_SECRET, code, at)).toBe(Math.floor(seconds / 30));
});

it('accepts the codes of one step before and after, and no others', () => {
  const secret = createTotpSecret();
  const now = new Date('2026-11-25T12:00:15.000Z');
  const step = Math.floor(now.getTime() / 30_000);
  const found = [-2, -1, 0, 1, 2].map((steps) =>
    findStep(secret, totpCode(secret, new Date(now.getTime() + steps * 30_000)), now),
  );
  expect(found).toEqual([null, step - 1, step, step + 1, null]);
});

it('is read by authenticator apps: 160 random bits, six digits, 30 seconds, SHA-1', () => {
  const secret = createTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(createTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, { issuer: 'Acme & Sons', email: 'ada@example.com' }));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Acme & Sons:ada@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret,
    issuer: 'Acme & Sons',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
