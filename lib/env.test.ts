import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEnvironment, VARIABLE_NAMES } from './env';

describe('the environment', () => {
  it('documents every variable in .env.example, which parses to the defaults', () => {
    const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
    const lines = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(lines.map(([name]) => name).toSorted()).toEqual(VARIABLE_NAMES.toSorted());
    expect(parseEnvironment(Object.fromEntries(lines))).toEqual(parseEnvironment({}));
  });

  it('has defaults for all variables', () => {
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

  it('restricts plans and targets by default when anyone can sign up', () => {
    expect(parseEnvironment({ SIGN_UP: 'open' })).toMatchObject({
      DEFAULT_PLAN: 'free',
      TARGET_POLICY: 'public',
    });
    const explicit = { SIGN_UP: 'open', DEFAULT_PLAN: 'pro', TARGET_POLICY: 'private' };
    expect(parseEnvironment(explicit)).toMatchObject({ DEFAULT_PLAN: 'pro', TARGET_POLICY: 'private' });
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '3000x'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['COMMAND_PREFIX', 'docker exec pharos\nrm'],
    ['APP_URL', 'https://example.com/pharos'],
    ['SERVICE_NAME', 'Pharos\r\nX-Evil: 1'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com/inbox'],
    ['MAIL_FROM', 'Pharos'],
    ['MAIL_FROM', 'Pharos <pharos＠example.com>'],
    ['MAIL_GROUP_SECONDS', '601'],
    ['SIGN_UP', 'yes'],
    ['DEFAULT_PLAN', 'gold'],
    ['TARGET_POLICY', 'some'],
    ['ALLOWED_PRIVATE_CIDRS', '10.0.0.0/8,inside'],
    ['DNS_SERVERS', 'resolver.internal'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['NETWORK_CANARY', 'gateway.internal'],
    ['PROBE_REGIONS', 'us-east,mars'],
    ['SHARDS', '-1'],
    ['HEARTBEAT_URL', 'ping.example.com/id'],
    ['OIDC_ISSUER', 'http://sso.example.com'],
    ['OIDC_ISSUER', 'https://sso.example.com/?tenant=1'],
    ['OIDC_SCOPE', 'email'],
    ['PASSWORD_SIGN_IN', 'no'],
    ['PASSWORD_SIGN_IN', 'off'],
    ['OIDC_ALLOWED_DOMAINS', 'example.com,@example.org'],
    ['OIDC_ROLES', 'staff'],
    ['OIDC_ROLES', 'staff:boss'],
    ['OIDC_ROLES', ':admin'],
    ['LOG_LEVEL', 'loud'],
    ['SECRET_KEY', 'short'],
    ['PREVIOUS_SECRET_KEYS', `${'k'.repeat(32)},short`],
    ['WORKER_DUTIES', 'none'],
    ['WORKER_URL', 'worker:3010'],
    ['INNGEST_DEV', 'yes'],
    ['INNGEST_SIGNING_KEY', 'not hexadecimal'],
    ['INNGEST_SIGNING_KEY', 'abc'],
    ['INNGEST_BASE_URL', 'http://inngest:8288/e/'],
  ])('rejects %s=%s and names the variable', (name, value) => {
    expect(() => parseEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be`));
  });

  it.each([
    [
      'the user of the mail server',
      { SMTP_URL: 'smtp://Ops%40example.com:p%40ss@mail.example.org:587' },
      'ops@example.com',
    ],
    [
      'the host of APP_URL',
      { SMTP_URL: 'smtps://AKIA:x@smtp.test', APP_URL: 'https://up.example.com:8443' },
      'pharos@up.example.com',
    ],
    ['the host of the mail server', { SMTP_URL: 'smtp://mail.example.org' }, 'pharos@mail.example.org'],
    ['this machine', { SMTP_URL: 'smtp://127.0.0.1:1025' }, 'pharos@localhost'],
  ])('derives the email sender from %s', (_, given, address) => {
    expect(parseEnvironment(given).MAIL_FROM).toEqual({ name: 'Pharos', address });
  });

  it('accepts an email sender with or without a name', () => {
    const SMTP_URL = 'smtp://mail.example.org';
    const senderOf = (MAIL_FROM: string) =>
      parseEnvironment({ SMTP_URL, MAIL_FROM, SERVICE_NAME: 'Acme' }).MAIL_FROM;
    expect(senderOf('a@example.com')).toEqual({ name: 'Acme', address: 'a@example.com' });
    expect(senderOf('Status <a@example.com>')).toEqual({ name: 'Status', address: 'a@example.com' });
  });

  it('never shows the mail server’s password in an error', () => {
    expect(() => parseEnvironment({ SMTP_URL: 'smtp://user:hunter2%@mail.example.org' })).toThrow(
      /^SMTP_URL must be(?!.*hunter2)/,
    );
  });

  it.each([
    ['INNGEST_SIGNING_KEY', { INNGEST_EVENT_KEY: 'e' }],
    ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgresql://pharos@db.internal/pharos' }],
    ['INNGEST_EVENT_KEY', { INNGEST_SIGNING_KEY: 'abcd' }],
    ['INNGEST_SIGNING_KEY', { INNGEST_SIGNING_KEY_FALLBACK: 'abcd' }],
  ])('requires %s with %o: Inngest needs both keys', (name, given) => {
    expect(() => parseEnvironment(given)).toThrow(new RegExp(`^${name} must be set together with`));
  });

  it('requires SECRET_KEY with DATABASE_URL', () => {
    const DATABASE_URL = 'postgresql://u:p@db:5432/pharos';
    expect(() => parseEnvironment({ DATABASE_URL })).toThrow(
      /^SECRET_KEY must be set together with DATABASE_URL/,
    );
    expect(parseEnvironment({ DATABASE_URL, SECRET_KEY: 'k'.repeat(32) })).toMatchObject({ DATABASE_URL });
  });

  const oidc = {
    APP_URL: 'https://pharos.example.com',
    OIDC_ISSUER: 'https://sso.example.com/realms/staff',
    OIDC_CLIENT_ID: 'pharos',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_ORGANIZATION: 'Acme',
    OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
    OIDC_ROLES: 'urn:example:admins:admin, staff:member',
  };

  it('reads domains and roles of single sign-on; a value of a claim can contain colons', () => {
    expect(parseEnvironment(oidc)).toMatchObject({
      OIDC_ALLOWED_DOMAINS: ['example.com', 'example.org'],
      OIDC_ROLES: [
        { value: 'urn:example:admins', role: 'admin' },
        { value: 'staff', role: 'member' },
      ],
    });
    expect(() => parseEnvironment({ ...oidc, OIDC_ISSUER: 'http://localhost:9000' })).not.toThrow();
  });

  it.each([
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OIDC_ORGANIZATION', 'OIDC_ALLOWED_DOMAINS'],
    ['APP_URL', 'OIDC_ISSUER'],
    ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ])('requires %s with %s', (name, other) => {
    const message = `${name} must be set together with ${other}`;
    expect(() =>
      parseEnvironment({ ...oidc, [other]: oidc[other as keyof typeof oidc] ?? 'x', [name]: '' }),
    ).toThrow(message);
  });
});
