import { z } from 'zod';
import { MAX_SENT } from '@/lib/schemas/text';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A header value (RFC 9110, field-value): no control characters except tabs, nothing beyond Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that frame the request itself; the client sets them. */
const RESERVED = /^(host|content-length|connection|transfer-encoding|proxy-.*)$/i;
const MAX_HEADERS = 50;
const MAX_NAME = 256;
const MAX_VALUE = 8192;

/** Custom request headers of a monitor: at most 50, each name and value validated separately. */
export const headersSchema = z
  .record(
    z.string(),
    z.string('must be a string').max(MAX_SENT),
    'must be an object of header names and string values',
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_HEADERS) {
      context.addIssue({ code: 'custom', message: `must hold at most ${MAX_HEADERS} headers` });
      return;
    }
    const seen = new Set<string>();
    for (const name of names) {
      const problem = nameProblem(name, seen) ?? valueProblem(headers[name]);
      if (problem !== null) context.addIssue({ code: 'custom', path: [name], message: problem });
      seen.add(name.toLowerCase());
    }
  })
  .meta({
    description:
      'Custom HTTP headers, a map of header name to string value. In a PUT that keeps the origin of the URL, `[hidden]` keeps a stored value',
    example: { Accept: 'application/json' },
    maxProperties: MAX_HEADERS,
    propertyNames: { type: 'string', maxLength: MAX_NAME },
  });

function nameProblem(name: string, seen: Set<string>): string | null {
  if (!TOKEN.test(name) || name.length > MAX_NAME) return 'is not a valid header name';
  if (RESERVED.test(name)) return 'is set by Pharos and cannot be overridden';
  return seen.has(name.toLowerCase()) ? 'is given twice' : null;
}

function valueProblem(value: string | undefined): string | null {
  if (value === undefined || !VALUE.test(value)) {
    return 'must not contain line breaks, control characters or characters beyond Latin-1';
  }
  return value.length > MAX_VALUE ? `must be at most ${MAX_VALUE} characters` : null;
}
