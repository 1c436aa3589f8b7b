import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring';

const KEY = 'a secret key of at least thirty-two characters';

describe('keyring', () => {
  it('opens what it sealed, for the same owner, in any process with the same key', () => {
    const sealed = createKeyring(KEY).seal('whsec_äöü', 'whk_1');
    expect(createKeyring(KEY).open(sealed, 'whk_1')).toBe('whsec_äöü');
  });

  it('seals the same text differently each time and never shows it', () => {
    const keyring = createKeyring(KEY);
    const one = keyring.seal('token', 'mon_1');
    expect(Buffer.from(one).equals(Buffer.from(keyring.seal('token', 'mon_1')))).toBe(false);
    expect(Buffer.from(one).includes('token')).toBe(false);
  });

  it('rejects a value that was moved to another row, changed, or sealed with another key', () => {
    const keyring = createKeyring(KEY);
    const sealed = keyring.seal('token', 'mon_1');
    const changed = sealed.map((byte, index) => (index === 20 ? byte ^ 1 : byte));
    expect(() => keyring.open(sealed, 'mon_2')).toThrow();
    expect(() => keyring.open(changed, 'mon_1')).toThrow();
    expect(() => createKeyring(`${KEY}!`).open(sealed, 'mon_1')).toThrow('another SECRET_KEY');
  });

  it('opens and recognizes what a previous key sealed, and seals nothing with it', () => {
    const old = createKeyring(KEY);
    const both = createKeyring(`${KEY}!`, [KEY]);
    const onlyNew = createKeyring(`${KEY}!`);
    expect(both.open(old.seal('token', 'mon_1'), 'mon_1')).toBe('token');
    expect(() => both.open(old.seal('token', 'mon_1'), 'mon_2')).toThrow();
    expect(onlyNew.open(both.seal('token', 'mon_1'), 'mon_1')).toBe('token');
    expect(both.deriveAll('session')).toEqual([onlyNew.derive('session'), old.derive('session')]);
    expect(both.derive('session')).toBe(onlyNew.derive('session'));
    expect(both.isDerived('session', old.derive('session'))).toBe(true);
    expect(onlyNew.isDerived('session', old.derive('session'))).toBe(false);
    expect(both.isDerived('other', old.derive('session'))).toBe(false);
  });

  it('recognizes what is sealed with the current key', () => {
    const keyring = createKeyring(KEY);
    const begins = (sealed: Uint8Array) => Buffer.from(sealed).indexOf(keyring.sealPrefix) === 0;
    expect(begins(keyring.seal('token', 'mon_1'))).toBe(true);
    expect(begins(createKeyring(`${KEY}!`, [KEY]).seal('token', 'mon_1'))).toBe(false);
  });
});
