import type { ErrorCode } from '@/lib/core/errors';
import { CodePanel } from '../code-panel';
import { MeaningTable, Section } from './section';

const MEANINGS: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'Body or parameters do not fit; details names each field.',
  INVALID_JSON: 'The body is not JSON.',
  SLUG_TAKEN: 'Another status page has this slug.',
  UNKNOWN_MONITOR: 'A monitor that is named does not exist in your organization.',
  UNKNOWN_REGION: 'There is no such region.',
  DOMAIN_TAKEN: 'The domain belongs to another status page, or to the service.',
  BLOCKED_TARGET: 'The address may not be watched or delivered to.',
  UNAUTHORIZED: 'The API key is missing, unknown, revoked or expired.',
  PLAN_LIMIT_EXCEEDED:
    'Your plan does not hold more, or does not have this; the message says what the limit is.',
  FORBIDDEN: 'The key may only read.',
  NOT_FOUND: 'Nothing is here, or it belongs to another organization: both answer alike.',
  METHOD_NOT_ALLOWED: 'The path does not take this method; the header Allow lists those that it takes.',
  CONFLICT: 'It contradicts what is there or under way. Read it again, then decide.',
  PAYLOAD_TOO_LARGE: 'The body is too long.',
  UNSUPPORTED_MEDIA_TYPE: 'A body has to be sent as application/json.',
  IDEMPOTENCY_MISMATCH: 'The Idempotency-Key was used before, with another body.',
  RATE_LIMITED: 'Too many requests; wait as long as Retry-After says.',
  INTERNAL_ERROR: 'A fault of ours. Tell the operator the requestId.',
};

const EXAMPLE = `{
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "The request is not valid: interval.",
    "details": [
      {
        "path": "interval",
        "code": "invalid_value",
        "message": "must be one of 30, 60, 120, 180, 300 (seconds)"
      }
    ],
    "requestId": "5f0c2f4e-6a55-4a0e-9e0b-0d7d3c1b2a90"
  }
}`;

/** The shape of refusals, and every code there is with its HTTP status. */
export function Errors({ statusOf }: { statusOf: Record<ErrorCode, number> }) {
  const codes = Object.keys(MEANINGS) as ErrorCode[];
  return (
    <Section id="errors" title="Errors">
      <p>
        Every refusal has this shape, on every path below <code>/api</code>, unknown ones included. Decide by{' '}
        <code>code</code>; <code>message</code> is for people and may change. <code>details</code> is there
        only where single fields are wrong, and then names all of them at once.
      </p>
      <CodePanel
        text={EXAMPLE}
        label="Copy the example of an error"
        className="rounded-md border border-line bg-sunken"
      />
      <MeaningTable
        caption="Error codes"
        heads={['Code and status', 'Meaning']}
        rows={codes.map((code) => ({ name: code, note: String(statusOf[code]), meaning: MEANINGS[code] }))}
      />
    </Section>
  );
}
