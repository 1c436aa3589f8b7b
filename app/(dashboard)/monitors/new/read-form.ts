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
 * in the same words as the API.
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

/** What is no `Name: value` line, or repeats a name, becomes an entry that the schema refuses in its own words. */
function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === '') continue;
    const [, name = line, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    headers[name in headers ? otherSpelling(name, line) : name] = value;
  }
  return headers;
}

/** A record cannot hold a name twice; in another spelling it can, and the schema sees the repetition. */
function otherSpelling(name: string, line: string): string {
  return [name.toUpperCase(), name.toLowerCase()].find((spelling) => spelling !== name) ?? line;
}
