import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';
import { described } from '@/lib/schemas/described';
import { HIDDEN } from '@/lib/schemas/hidden';
import {
  type Authentication,
  type AuthenticationMethod,
  canKeepSecret,
  hideAuthentication,
  SECRET_PARTS,
  secretOf,
  withSecret,
} from '@/lib/schemas/monitor/authentication-parts';
import { storable, text } from '@/lib/schemas/text';
import type { Secret } from './secrets';

const MAX_NAME = 1000;
const MAX_SECRET = 8192;
const MAX_URL = 2048;

/** As it is sent: what is around it belongs to it. */
const credential = (minimum: number, maximum: number) =>
  storable(
    z
      .string('must be a string')
      .min(minimum, 'must not be empty')
      .max(maximum, { error: `must be at most ${maximum} characters`, abort: true }),
  ).refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters');

/** What tells the methods apart. */
const methodOf = <const Method extends AuthenticationMethod>(method: Method) =>
  z.literal(method).describe('How requests are authenticated');

const username = credential(0, MAX_NAME).meta({ description: 'The user name', examples: ['monitoring'] });
const password = credential(0, MAX_SECRET).meta({ description: 'The password', examples: ['correct horse'] });

const token = credential(1, MAX_SECRET)
  .refine((value) => /^[\x21-\x7e]*$/.test(value), 'must be ASCII without spaces')
  .meta({ description: 'The token, sent as `Authorization: Bearer …`', examples: ['eyJhbGciOi…'] });

const tokenUrl = text(1, MAX_URL)
  .refine((url) => parseHttpUrl(url) !== null, 'must be an http or https URL without user name or password')
  .meta({ description: 'The token endpoint', examples: ['https://login.example.com/oauth2/token'] });

const scope = text(1, MAX_NAME)
  .refine((scopes) => /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(scopes), 'must be ASCII, separated by spaces')
  .nullable()
  .default(null)
  .meta({
    description: 'The scopes to request, separated by spaces; null for those of the client',
    examples: ['read:health'],
  });

const message = 'must be an object with a method of basic, bearer, digest or oauth2, or null';

const DESCRIPTION =
  'How requests prove who sends them: `basic`; `bearer`, a fixed token; `digest` (RFC 7616, MD5 or SHA-256); or `oauth2`, a token from an endpoint for client credentials. Sent to the origin of the URL only. null for none. In a PUT that keeps the origins, `[hidden]` keeps a stored secret';
const EXAMPLE = { method: 'basic', username: 'monitoring', password: 'correct horse' } as const;

/** How requests are authenticated; null for not at all. */
export const authenticationSchema = described(
  z
    .discriminatedUnion(
      'method',
      [
        z.strictObject({
          method: methodOf('basic'),
          username: username.refine((name) => !name.includes(':'), 'must not contain a colon'),
          password,
        }),
        z.strictObject({ method: methodOf('bearer'), token }),
        z.strictObject({ method: methodOf('digest'), username, password }),
        z.strictObject({
          method: methodOf('oauth2'),
          tokenUrl,
          clientId: credential(1, MAX_NAME).meta({ description: 'The client ID', examples: ['pharos'] }),
          clientSecret: credential(1, MAX_SECRET).meta({
            description: 'The client secret',
            examples: ['correct horse'],
          }),
          scope,
        }),
      ],
      message,
    )
    .nullable(),
  DESCRIPTION,
  EXAMPLE,
);

const shown = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const shownName = shown('The user name', 'monitoring');
const shownPassword = shown('The password', 'correct horse');

/** The same as it is returned. */
export const authenticationOutput: z.ZodType<Authentication | null> = z
  .discriminatedUnion('method', [
    z.strictObject({
      method: methodOf('basic'),
      username: shownName,
      password: shownPassword,
    }),
    z.strictObject({ method: methodOf('bearer'), token: shown('The token', 'eyJhbGciOi…') }),
    z.strictObject({
      method: methodOf('digest'),
      username: shownName,
      password: shownPassword,
    }),
    z.strictObject({
      method: methodOf('oauth2'),
      tokenUrl: shown('The token endpoint', 'https://login.example.com/oauth2/token'),
      clientId: shown('The client ID', 'pharos'),
      clientSecret: shown('The client secret', 'correct horse'),
      scope: z
        .string()
        .nullable()
        .meta({ description: 'The requested scopes', examples: ['read:health'] }),
    }),
  ])
  .nullable();

/** An authentication with one secret part. A kept secret goes to no other token endpoint. */
export const secretAuthentication: Secret<Authentication | null> = {
  write: (value) => (value === null ? null : JSON.stringify(value)),
  read: (stored) => (stored === null ? null : JSON.parse(stored)),
  hide: hideAuthentication,
  listHidden: (value) => (value !== null && secretOf(value) === HIDDEN ? [[SECRET_PARTS[value.method]]] : []),
  find: (stored, _path, given) => (stored !== null && canKeepSecret(given, stored) ? secretOf(stored) : null),
  fill: (value, stored) =>
    value !== null && secretOf(value) === HIDDEN && stored !== null && canKeepSecret(value, stored)
      ? withSecret(value, secretOf(stored))
      : value,
  drop: (value) => (value !== null && secretOf(value) === HIDDEN ? null : value),
};
