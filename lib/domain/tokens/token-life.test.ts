import { describe, expect, it } from 'vitest';
import { endOfReplaced, isLive, isUseNoted } from './token-life';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const HOUR = 3600;

describe('a key or token', () => {
  it.each([
    ['without an end', { revokedAt: null, expiresAt: null }, true],
    ['that expires later', { revokedAt: null, expiresAt: inSeconds(1) }, true],
    ['that expires now', { revokedAt: null, expiresAt: NOW }, false],
    ['that is revoked', { revokedAt: NOW, expiresAt: inSeconds(1) }, false],
  ])('%s: is it valid?', (_, ends, expected) => {
    expect(isLive(ends, NOW)).toBe(expected);
  });

  it.each<[Date | null, boolean]>([
    [null, true],
    [inSeconds(-60), false],
    [inSeconds(-60.001), true],
  ])('last used at %s notes a use at most once a minute: %s', (lastUsedAt, expected) => {
    expect(isUseNoted(lastUsedAt, NOW)).toBe(expected);
  });

  it('that is replaced ends after the overlap, or earlier if it was due to', () => {
    const end = (expiresAt: Date | null) => endOfReplaced('token', { revokedAt: null, expiresAt }, 24, NOW);
    expect(end(null)).toEqual(inSeconds(24 * HOUR));
    expect(end(inSeconds(25 * HOUR))).toEqual(inSeconds(24 * HOUR));
    expect(end(inSeconds(HOUR))).toEqual(inSeconds(HOUR));
    expect(() => end(NOW)).toThrow('This token is revoked or expired.');
  });
});
