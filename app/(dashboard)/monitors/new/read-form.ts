import { DomainError } from '@/lib/core/errors';

/** Left out for types other than http, where the form does not show them: the schema's defaults count. */
const HTTP_ONLY = [
  'method',
  'expectedStatusCode',
  'headers',
  'body',
  'keyword',
  'tlsExpiryDays',
  'tlsVerify',
  'followRedirects',
];

/**
 * The sent form as a body of `POST /monitors`, still to be parsed: the schema, not this function, refuses what is wrong,
 * in the same words as the API. Throws VALIDATION_ERROR only for headers that are no `Name: value` lines.
 */
export function readMonitorForm(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const optional = (name: string) => (text(name) === '' ? null : text(name));
  const input = {
    name: text('name'),
    url: text('url'),
    type: text('type'),
    method: text('method'),
    interval: number(text('interval')),
    timeout: number(text('timeout')),
    expectedStatusCode: number(text('expectedStatusCode')),
    regions: form.getAll('regions').map(String),
    alertThreshold: number(text('alertThreshold')),
    recoveryThreshold: number(text('recoveryThreshold')),
    degradedThreshold: number(text('degradedThreshold')),
    keyword: optional('keyword'),
    headers: readHeaders(String(form.get('headers') ?? '')),
    // A form sends line breaks as CR LF, whatever was typed.
    body: optional('body') === null ? null : String(form.get('body')).replaceAll('\r\n', '\n'),
    tlsExpiryDays: optional('tlsExpiryDays') === null ? null : number(text('tlsExpiryDays')),
    followRedirects: form.has('followRedirects'),
    tlsVerify: form.has('tlsVerify'),
    tags: text('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    ref: optional('ref'),
    enabled: form.has('enabled'),
  };
  if (input.type === 'http') return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !HTTP_ONLY.includes(name)));
}

/** What is no number stays a text, for the schema to refuse. */
function number(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function readHeaders(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') throw headerError(`must be written as Name: value, unlike “${line.trim()}”`);
    if (name in headers) throw headerError(`must name ${name} only once`);
    headers[name] = value;
  }
  return headers;
}

function headerError(message: string): DomainError {
  const details = [{ path: 'headers', code: 'custom', message }];
  return new DomainError('VALIDATION_ERROR', 'The request is not valid: headers.', details);
}
