import { describe, expect, it } from 'vitest';
import { apiKeyHint, generateApiKey, hashApiKey, isWellFormedApiKey } from './key-format';

describe('API key', () => {
  it('consists of ph_live_, 32 random characters and 6 characters of checksum', () => {
    const key = generateApiKey();
    expect(key).toMatch(/^ph_live_[0-9A-Za-z]{38}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(generateApiKey()).not.toBe(key);
  });

  it('is rejected if any character is mistyped', () => {
    const key = generateApiKey();
    for (let index = 8; index < key.length; index++) {
      const wrong = key.charAt(index) === 'x' ? 'y' : 'x';
      expect(isWellFormedApiKey(key.slice(0, index) + wrong + key.slice(index + 1))).toBe(false);
    }
  });

  it.each(['', 'ph_live_', 'Bearer x', 'ph_test_0123456789', `${generateApiKey()} `])('is not %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  it('is stored as a SHA-256 hash and shown as its first characters', () => {
    const key = generateApiKey();
    expect(hashApiKey(key)).toHaveLength(32);
    expect(apiKeyHint(key)).toBe(key.slice(0, 12));
  });
});
