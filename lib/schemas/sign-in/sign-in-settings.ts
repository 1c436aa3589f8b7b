import { z } from 'zod';
import { parseUrl } from '@/lib/core/parse-url';
import { emailAddress } from '../email-address';
import { MEMBER_ROLES } from '../people';

/** A value of the role claim, and the role that it gives. */
export type RoleRule = { value: string; role: (typeof MEMBER_ROLES)[number] };

const MAX_LIST = 20_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const issuer = z
  .string()
  .max(2000)
  .refine((text) => {
    const url = parseUrl(text);
    if (url === null) return false;
    const { protocol, hostname, search, hash, username } = url;
    const isPrivate = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
    return isPrivate && !search && !hash && !username;
  }, 'must be the https URL of an issuer, such as https://sso.example.com/realms/staff');

const name = z
  .string()
  .max(40)
  .regex(/^[^\p{Cc}]{1,40}$/u, 'must be 1 to 40 characters, such as Okta')
  .default('single sign-on');

const split = (text: string) => text.split(',').map((part) => part.trim());

const isDomain = (text: string) => emailAddress.safeParse(`user@${text}`).success;

const domains = z
  .string()
  .max(MAX_LIST)
  .transform((text) => split(text.toLowerCase()))
  .refine(
    (values) => values.every(isDomain),
    'must be comma-separated domains such as example.com,example.org',
  )
  .default([]);

/** `value:role`; a value can contain colons. */
function parseRule(text: string): RoleRule | null {
  const at = text.lastIndexOf(':');
  const role = MEMBER_ROLES.find((each) => each === text.slice(at + 1).trim());
  const value = text.slice(0, Math.max(at, 0)).trim();
  return role === undefined || value === '' ? null : { value, role };
}

const roles = z
  .string()
  .max(MAX_LIST)
  .transform((text) => split(text).map(parseRule))
  .pipe(
    z
      .array(
        z.custom<RoleRule>(
          (rule) => rule !== null,
          'must be comma-separated values with the role they give: owner, admin, member or viewer, such as pharos-admins:admin,staff:member',
        ),
      )
      .max(1000),
  )
  .default([]);

const text = z.string().max(2000).optional();

/** The variables for signing in by other means than a password. */
export const signInVariables = {
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_NAME: name,
  OIDC_SCOPE: z
    .string()
    .max(2000)
    .refine(
      (value) => value.split(' ').includes('openid'),
      'must be scopes with openid, such as openid email profile groups',
    )
    .default('openid email profile'),
  OIDC_ALLOWED_DOMAINS: domains,
  OIDC_ROLE_CLAIM: z.string().max(200).default('groups'),
  OIDC_ROLES: roles,
  OIDC_ORGANIZATION: text,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
};

type Variable = keyof typeof signInVariables;
type Values = z.output<z.ZodObject<typeof signInVariables>> & { APP_URL?: string };

/** The first variable that contradicts the others, with the reason; null if they fit together. */
export function findSignInConflict(values: Values): { name: Variable | 'APP_URL'; message: string } | null {
  const isSet = (name: keyof Values) => values[name] !== undefined && String(values[name]) !== '';
  const needs = (name: keyof Values, other: keyof Values) => isSet(name) && !isSet(other);
  const together: [Variable, Variable][] = [
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
    ['OIDC_ALLOWED_DOMAINS', 'OIDC_ORGANIZATION'],
    ['OIDC_ROLES', 'OIDC_ORGANIZATION'],
    ['OIDC_ROLES', 'OIDC_ISSUER'],
  ];
  for (const [name, other] of together) {
    if (needs(name, other)) return { name: other, message: `must be set together with ${name}` };
  }
  if (values.PASSWORD_SIGN_IN === 'off' && !PROVIDERS.some(isSet)) {
    return {
      name: 'PASSWORD_SIGN_IN',
      message: `must be on without a provider: set one of ${PROVIDERS.join(', ')} first`,
    };
  }
  const provider = PROVIDERS.find((name) => needs(name, 'APP_URL'));
  if (provider === undefined) return null;
  return {
    name: 'APP_URL',
    message: `must be set together with ${provider}: providers send people back to it`,
  };
}

/** Each stands for a provider. */
const PROVIDERS = ['OIDC_ISSUER', 'GITHUB_CLIENT_ID', 'GOOGLE_CLIENT_ID'] as const;
