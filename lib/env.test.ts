import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEnvironment, VARIABLE_NAMES } from './env';

describe('the environment', () => {
  it('is explained in .env.example, variable by variable, and works as it stands there', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
    const lines = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(lines.map(([name]) => name).toSorted()).toEqual(VARIABLE_NAMES.toSorted());
    expect(parseEnvironment(Object.fromEntries(lines))).toEqual(parseEnvironment({}));
  });

  it('has a default for everything', () => {
    expect(parseEnvironment({})).toMatchObject({
      PORT: 3000,
      HOST: '::',
      DATA_DIR: './.data',
      SERVICE_NAME: 'Pharos',
      SIGN_UP: 'invite',
      DEFAULT_PLAN: 'enterprise',
      TARGET_POLICY: 'private',
      PROBE_REGIONS: ['us-east', 'eu-west', 'ap-southeast'],
    });
  });

  it('is careful where strangers can sign up, unless it is told otherwise', () => {
    expect(parseEnvironment({ SIGN_UP: 'open' })).toMatchObject({
      DEFAULT_PLAN: 'free',
      TARGET_POLICY: 'public',
    });
    const told = { SIGN_UP: 'open', DEFAULT_PLAN: 'pro', TARGET_POLICY: 'private' };
    expect(parseEnvironment(told)).toMatchObject({ DEFAULT_PLAN: 'pro', TARGET_POLICY: 'private' });
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '3000x'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['APP_URL', 'https://example.com/pharos'],
    ['SERVICE_NAME', 'Pharos\r\nX-Evil: 1'],
    ['SIGN_UP', 'yes'],
    ['DEFAULT_PLAN', 'gold'],
    ['TARGET_POLICY', 'some'],
    ['ALLOWED_PRIVATE_CIDRS', '10.0.0.0/8,inside'],
    ['DNS_SERVERS', 'resolver.internal'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['NETWORK_CANARY', 'gateway.internal'],
    ['PROBE_REGIONS', 'us-east,mars'],
    ['SHARDS', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['SECRET_KEY', 'short'],
  ])('refuses %s=%s, naming it', (name, value) => {
    expect(() => parseEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be`));
  });

  it('wants SECRET_KEY beside DATABASE_URL', () => {
    const DATABASE_URL = 'postgresql://u:p@db:5432/pharos';
    expect(() => parseEnvironment({ DATABASE_URL })).toThrow(
      /^SECRET_KEY must be set together with DATABASE_URL/,
    );
    expect(parseEnvironment({ DATABASE_URL, SECRET_KEY: 'k'.repeat(32) })).toMatchObject({ DATABASE_URL });
  });
});
