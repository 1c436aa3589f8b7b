import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { storable } from '@/lib/schemas/text';
import type { Account, Credential, Format } from '@/lib/webhook-formats/format';
import { FORMATS, findFormat, hasTemplate } from '@/lib/webhook-formats/formats';

const MAX_CREDENTIAL = 200;

type NameIn<Each> = Each extends { account: { credentials: infer Known } } ? keyof Known & string : never;
export type CredentialName = NameIn<(typeof FORMATS)[keyof typeof FORMATS]>;
export type Credentials = Partial<Record<CredentialName, string>>;

const ALL: readonly Format[] = Object.values(FORMATS);
const NAMES = ALL.flatMap(({ account }) => Object.keys(account?.credentials ?? {}));
/** What formats call their credentials. Several can have one with the same name. */
export const CREDENTIAL_NAMES = [...new Set(NAMES)] as readonly CredentialName[];

const credential = storable(z.string('must be a string').trim().min(1, 'must not be empty'))
  .max(MAX_CREDENTIAL, { error: `must be at most ${MAX_CREDENTIAL} characters`, abort: true })
  .regex(/^[\x21-\x7e]*$/, 'must be ASCII without spaces');

/** The credentials of an endpoint as they are sent. */
export const credentialsSchema = z
  .strictObject(namedBy(() => credential.optional()))
  .describe(
    `What the product identifies you by: ${ALL.flatMap(formatAccount).join(', ')}. Returned as \`[hidden]\`, which keeps the stored value when sent back`,
  );

/** The same as they are returned: only their names. */
export const hiddenCredentialsSchema = z
  .strictObject(namedBy(() => z.string().optional()))
  .describe('`[hidden]` for each credential that is set')
  .meta({ id: 'WebhookCredentials' });

function formatAccount({ label, account }: Format): string[] {
  if (account === undefined) return [];
  const names = Object.entries(account.credentials).map(([name, { isRequired }]) =>
    isRequired ? `\`${name}\`` : `an optional \`${name}\``,
  );
  return [`${names.join(' and ')}${account.without ? ' (or none)' : ''} for ${label}`];
}

/** What a credential is in each format that has one with this name. */
function formatCredential(name: CredentialName): string {
  return ALL.flatMap(({ label, account }) => {
    const found = account?.credentials[name];
    return found ? [`${found.label} (${label})`] : [];
  }).join(', ');
}

function namedBy<Schema extends z.ZodType>(create: () => Schema) {
  return Object.fromEntries(
    CREDENTIAL_NAMES.map((name) => [name, described(create(), formatCredential(name), '[hidden]')]),
  ) as Record<CredentialName, Schema>;
}

const accountOf = (format: string): Account | null => findFormat(format)?.account ?? null;

/** The address that an endpoint with a format has unless another is given; null if it must be given. */
export function defaultUrl(format: string, credentials: object = {}): string | null {
  const account = accountOf(format);
  return account === null || isWithout(account, credentials) ? null : account.url;
}

/** Whether an endpoint sends without the credentials of a product that also takes messages without. */
const isWithout = ({ without }: Account, credentials: object): boolean =>
  without !== undefined && Object.keys(credentials).length === 0;

/** The credentials that a format has, and whether they are required. */
export function credentialsOf(format: string): (Credential & { name: string })[] {
  const { credentials = {}, without } = accountOf(format) ?? {};
  return Object.entries(credentials).map(([name, each]) => {
    return { ...each, name, isRequired: each.isRequired && without === undefined };
  });
}

/** The fields of an endpoint that depend on each other. A URL that is null stands for the address of the product. */
export type FormatFields = {
  format: string;
  url: string | null;
  credentials: Credentials;
  headers: Record<string, string>;
  template: string | null;
};

/** What does not fit the format of an endpoint. */
export function findFormatConflicts({ format, url, credentials, headers, template }: FormatFields) {
  const isOwn = hasTemplate(format);
  const account = accountOf(format);
  const refusal = (url !== null && account?.without?.refuse(url, !isWithout(account, credentials))) || null;
  const foreign = `does not belong to the format ${format}`;
  return [
    ...(url === null && defaultUrl(format, credentials) === null ? [{ path: 'url', message: REQUIRED }] : []),
    ...(refusal === null ? [] : [{ path: 'url', message: refusal }]),
    ...(isOwn && template === null ? [{ path: 'template', message: REQUIRED }] : []),
    ...(!isOwn && template !== null ? [{ path: 'template', message: foreign }] : []),
    ...(!isOwn && Object.keys(headers).length > 0 ? [{ path: 'headers', message: foreign }] : []),
    ...Object.keys(headers)
      .filter((name) => OWN_HEADER.test(name))
      .map((name) => ({ path: `headers.${name}`, message: 'is set by the service' })),
    ...findCredentialConflicts(account, credentials, foreign),
  ];
}

function findCredentialConflicts(account: Account | null, credentials: Credentials, foreign: string) {
  const known = account?.credentials ?? {};
  const isBare = account !== null && isWithout(account, credentials);
  const missing = Object.entries(known).filter(
    ([name, { isRequired }]) => isRequired && !isBare && !Object.hasOwn(credentials, name),
  );
  const given = Object.entries(credentials).filter(([, value]) => value !== undefined);
  return [
    ...missing.map(([name]) => ({ path: `credentials.${name}`, message: REQUIRED })),
    ...given.flatMap(([name, value]) => {
      const path = `credentials.${name}`;
      if (!Object.hasOwn(known, name)) return [{ path, message: foreign }];
      const shape = known[name]?.shape;
      return shape && !shape.pattern.test(value) ? [{ path, message: shape.message }] : [];
    }),
  ];
}

/** What receivers verify a delivery by. */
const OWN_HEADER = /^(x-service-|webhook-)/i;
const REQUIRED = 'is required with this format';
