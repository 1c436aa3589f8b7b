import { DomainError, type ErrorDetail, invalidField } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import type { WebhookEndpoint } from '@/lib/platform/db/generated/client';
import { HIDDEN, hideUrl, NOT_KEPT } from '@/lib/schemas/hidden';
import { defaultUrl, type FormatFields, findFormatConflicts } from '@/lib/schemas/webhooks/credentials';
import { defaultEvents, type WebhookChanges } from '@/lib/schemas/webhooks/webhook';
import { openCredentials, openHeaders, sealCredentials, sealHeaders } from './credentials';
import { type RenderedSample, requireRendering } from './templates/require-rendering';

const NOT_RESENT = 'can only be kept for the same origin: send them again';

/**
 * A change of an endpoint as it is stored. What is hidden is kept, null events and URLs become those of the format. Throws
 * VALIDATION_ERROR for what does not fit the format, for a hidden value that is not stored, and for credentials that would go to
 * another host, which would reveal them. `samples` are what its template writes.
 */
export function resolveChanges(
  keyring: Keyring,
  before: WebhookEndpoint,
  given: WebhookChanges,
  samples: readonly RenderedSample[],
) {
  const {
    url: _url,
    events: _events,
    credentials: _credentials,
    headers: _headers,
    template: _template,
    ...rest
  } = given;
  const format = given.format ?? before.format;
  return {
    ...rest,
    ...resolveReceiver(keyring, before, given, samples),
    ...(given.events === undefined ? {} : { events: given.events ?? defaultEvents(format) }),
  };
}

const RECEIVER = ['format', 'url', 'credentials', 'headers', 'template'] as const;

type Receiver = {
  url?: string;
  template?: string | null;
  credentialsSealed?: Uint8Array<ArrayBuffer> | null;
  headersSealed?: Uint8Array<ArrayBuffer> | null;
};

function resolveReceiver(
  keyring: Keyring,
  before: WebhookEndpoint,
  given: WebhookChanges,
  samples: readonly RenderedSample[],
): Receiver {
  if (RECEIVER.every((field) => given[field] === undefined)) return {};
  const format = given.format ?? before.format;
  const stored = openCredentials(keyring, before.id, before.credentialsSealed);
  const known = format === before.format ? stored : {};
  const url = resolveUrl(given, before, stored) ?? defaultUrl(format, given.credentials ?? known);
  const isSameOrigin = url !== null && new URL(url).origin === new URL(before.url).origin;
  const credentials = resolveSecrets('credentials', given.credentials, known, isSameOrigin);
  const storedHeaders = openHeaders(keyring, before.id, before.headersSealed);
  const knownHeaders = format === before.format ? storedHeaders : {};
  const headers = resolveSecrets('headers', given.headers, knownHeaders, isSameOrigin);
  const template =
    given.template === undefined && format === before.format ? before.template : (given.template ?? null);
  refuseConflicts({ format, url, credentials, headers, template });
  if (template !== null && template !== before.template) requireRendering(samples, headers);
  const isSame = JSON.stringify(credentials) === JSON.stringify(stored);
  return {
    ...(url === null ? {} : { url }),
    ...(JSON.stringify(headers) === JSON.stringify(storedHeaders)
      ? {}
      : { headersSealed: sealHeaders(keyring, before.id, headers) }),
    template,
    ...(isSame ? {} : { credentialsSealed: sealCredentials(keyring, before.id, credentials) }),
  };
}

/** The URL, null for that of the product. One of another product is not kept where the new one has its own. */
function resolveUrl(
  { url, format }: WebhookChanges,
  before: WebhookEndpoint,
  credentials: object,
): string | null {
  const { url: stored } = before;
  if (url === undefined) {
    const changed = format !== undefined && format !== before.format;
    return changed && (defaultUrl(format) ?? defaultUrl(before.format, credentials)) !== null ? null : stored;
  }
  if (url === null || !url.includes(HIDDEN)) return url;
  if (url === hideUrl(stored)) return stored;
  const message = `is hidden: send ${hideUrl(stored)} to keep the stored URL, or the full new URL`;
  throw invalidField('url', message, 'nothing_stored');
}

function resolveSecrets(
  field: 'credentials' | 'headers',
  given: Readonly<Record<string, string>> | undefined,
  stored: Readonly<Record<string, string>>,
  isSameOrigin: boolean,
): Record<string, string> {
  if (given === undefined) {
    if (isSameOrigin || Object.keys(stored).length === 0) return stored;
    throw invalidField(field, NOT_RESENT, 'origin_changed');
  }
  const details: ErrorDetail[] = [];
  const kept = Object.entries(given).map(([name, value]) => {
    if (value !== HIDDEN) return [name, value];
    const path = `${field}.${name}`;
    const own = new Map(Object.entries(stored)).get(name);
    const code = own === undefined ? 'nothing_stored' : isSameOrigin ? null : 'origin_changed';
    if (code !== null) details.push({ path, code, message: NOT_KEPT[code] });
    return [name, own];
  });
  refuse(details);
  return Object.fromEntries(kept);
}

function refuseConflicts(fields: FormatFields): void {
  refuse(findFormatConflicts(fields).map((conflict) => ({ ...conflict, code: 'custom' })));
}

function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const fields = details.map(({ path }) => path).join(', ');
  throw new DomainError('VALIDATION_ERROR', `The request is not valid: ${fields}.`, details);
}
