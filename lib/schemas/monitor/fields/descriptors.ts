import { z } from 'zod';
import { PROTOCOL_LABELS, PROTOCOLS } from '@/lib/checks/tcp/protocols';
import { CHECK_TYPES, MONITOR_TYPES } from '@/lib/checks/types';
import { described } from '@/lib/schemas/described';
import { isRegionId, type RegionId, UNKNOWN_REGION } from '@/lib/schemas/regions';
import { regionIdSchema, sentRegionSchema } from '@/lib/schemas/regions/region-id';
import { MAX_SENT, nameText, oneOf, refText, storable, text } from '@/lib/schemas/text';
import { assertionsSchema, readAssertions, shownAssertionsSchema } from './assertions';
import { CALL_FIELDS } from './call-fields';
import { CONNECTION_FIELDS } from './connection-fields';
import { DEPENDENCY_FIELDS } from './dependency-fields';
import { field, flag, whole } from './field';
import { headersSchema } from './headers';
import { formatInterval, intervalSchema } from './interval';
import { LOOKUP_FIELDS } from './lookup-fields';
import { MEMBER_FIELDS } from './member-fields';
import { secretHeaders, secretText } from './secrets';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Per monitor. */
export const MAX_TAGS = 20;
/** Characters. */
export const MAX_DESCRIPTION = 1000;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BANNER_REQUEST = 1000;
/** Of one monitor. */
const MAX_REGIONS = 50;

const regionsSchema = z
  .array(sentRegionSchema, 'must be an array of region IDs')
  .max(MAX_REGIONS, { error: `must name at most ${MAX_REGIONS} regions`, abort: true })
  .min(1, 'must include at least one region')
  .superRefine((regions, context) => {
    regions.forEach((region, index) => {
      if (!isRegionId(region)) {
        const unknown = { message: UNKNOWN_REGION, params: { errorCode: 'UNKNOWN_REGION' } };
        context.addIssue({ code: 'custom', path: [index], ...unknown });
      } else if (regions.indexOf(region) !== index) {
        context.addIssue({ code: 'custom', path: [index], message: 'is named twice' });
      }
    });
  });

const bodySchema = storable(z.string('must be a string or null').max(MAX_SENT))
  .refine((body) => new TextEncoder().encode(body).length <= MAX_BODY_BYTES, 'must be at most 64 KiB')
  .nullable();

const protocolSchema = oneOf(PROTOCOLS).meta({
  description:
    'What a server must speak once it has accepted the connection. A server that then asks for a password is ready; one that refuses is not. smtp, imap, pop3 and ftp change to TLS if the server offers it, or begin with it on ports 465, 993, 995 and 990. none: nothing is sent or read, except for the banner',
  examples: ['smtp'],
});

const tagsSchema = z
  .array(nameText(1, 50), 'must be an array of strings')
  .max(MAX_TAGS, `must hold at most ${MAX_TAGS} tags`)
  .refine((tags) => new Set(tags).size === tags.length, 'must not repeat a tag');

/**
 * The fields of a monitor that callers set, in the order of the API reference. Everything else is derived from
 * here, except the column in prisma/schema.prisma and the code that uses the value.
 */
export const MONITOR_FIELDS = {
  name: field(nameText(1, 100).meta({ description: 'Display name', examples: ['Checkout API'] }), {
    form: { section: 'target', label: 'Name', placeholder: 'Checkout API' },
  }),
  description: field(
    text(1, MAX_DESCRIPTION)
      .nullable()
      .meta({
        description:
          'Notes for your team, as plain text: shown in the dashboard, never on a public page; null for none',
        examples: ['Runs in the old data center. Restart: wiki/shop'],
      }),
    {
      default: null,
      form: {
        section: 'more',
        control: 'lines',
        label: 'Description',
        hint: 'For your team only: not shown on public pages. Plain text.',
      },
    },
  ),
  url: field(
    text(0, 2048).meta({
      description: `What to check, by type: ${MONITOR_TYPES.map((type) => `${type}, ${CHECK_TYPES[type].target.shape}`).join('; ')}`,
      examples: ['https://api.example.com/health'],
    }),
    {
      group: 'probe',
      probed: 'resets status',
      form: { section: 'target', control: 'target', label: 'Target' },
    },
  ),
  type: field(
    described(
      oneOf(MONITOR_TYPES),
      'What is checked: an HTTP endpoint, a TCP port, a host (ping), a DNS record, the calls of a job (heartbeat), or the status of other monitors (group)',
      'http',
    ),
    {
      default: 'http',
      probed: 'resets status',
      form: { section: 'type', control: 'type', label: 'Type' },
    },
  ),
  method: field(oneOf(METHODS).describe('The method of the request'), {
    default: 'GET',
    group: 'request',
    probed: 'resets status',
    form: { section: 'target', label: 'Method' },
  }),
  interval: field(intervalSchema, {
    default: 60,
    group: 'probe',
    decides: 'not replayed',
    form: { section: 'schedule', label: 'Interval', option: formatInterval },
  }),
  timeout: field(whole(1, 60).describe('Seconds for the whole check'), {
    default: 30,
    group: 'probe',
    probed: 'keeps status',
    decides: 'replayed',
    form: { section: 'schedule', label: 'Timeout', unit: 's' },
  }),
  expectedStatusCode: field(
    whole(100, 599).describe('The status code of a successful check; any other one fails'),
    {
      default: 200,
      group: 'request',
      probed: 'resets status',
      form: { section: 'target', label: 'Expected status' },
    },
  ),
  headers: field(headersSchema, {
    default: {},
    group: 'request',
    probed: 'resets status',
    secret: secretHeaders,
    form: {
      section: 'request',
      control: 'headers',
      label: 'Headers',
      placeholder: 'Accept: application/json\nX-Token: …',
      hint: 'One per line, Name: value. Stored encrypted.',
      hintIfSet:
        'One per line, Name: value. [hidden] keeps the stored value. If you change the host of the URL, enter the values again.',
    },
  }),
  body: field(described(bodySchema, 'The body of the request, at most 64 KiB; null for none', null), {
    default: null,
    group: 'request',
    probed: 'resets status',
    secret: secretText,
    form: {
      section: 'request',
      control: 'lines',
      label: 'Body',
      hint: 'Not allowed with GET or HEAD. Stored encrypted.',
    },
  }),
  regions: field(described(regionsSchema, 'The regions that check', ['us-east', 'eu-west']), {
    output: z.array(regionIdSchema),
    default: ['us-east'],
    group: 'probe',
    decides: 'replayed',
    // A monitor may have been created when there were more regions.
    read: (stored): RegionId[] => (Array.isArray(stored) ? stored.filter(isRegionId) : []),
    form: {
      section: 'schedule',
      control: 'regions',
      label: 'Regions',
      hint: 'With several regions, a monitor is down only when a majority of them fail.',
      help: 'regions',
    },
  }),
  alertThreshold: field(whole(1, 10).describe('Consecutive failures before alerting'), {
    default: 3,
    group: 'thresholds',
    decides: 'replayed',
    form: {
      section: 'alerts',
      label: 'Alert after',
      unit: 'checks',
      hint: 'Failed checks in a row.',
      help: 'thresholds',
    },
  }),
  recoveryThreshold: field(whole(1, 10).describe('Consecutive successful checks before recovery'), {
    default: 1,
    group: 'thresholds',
    decides: 'replayed',
    form: {
      section: 'alerts',
      label: 'Recover after',
      unit: 'checks',
      hint: 'Successful checks in a row.',
      help: 'recovery',
    },
  }),
  degradedThreshold: field(whole(1, 60_000).describe('Milliseconds above which a check is slow'), {
    default: 5000,
    group: 'probe',
    decides: 'replayed',
    form: {
      section: 'alerts',
      label: 'Slow above',
      unit: 'ms',
      hint: 'Slower responses are degraded.',
      help: 'slow',
    },
  }),
  confirmInterval: field(
    whole(5, 30)
      .nullable()
      .meta({
        description:
          'Seconds between the checks that confirm or rule out an outage after a first failure, from all regions; null to wait for the regular ones',
        examples: [10],
      }),
    {
      default: null,
      group: 'probe',
      decides: 'replayed',
      form: {
        section: 'alerts',
        label: 'Confirm every',
        unit: 's',
        suggested: 10,
        hint: 'After a first failure, in all regions. Leave empty to wait for regular checks.',
      },
    },
  ),
  keyword: field(
    text(1, 500)
      .nullable()
      .meta({
        description: 'Text that the response body must contain; null for none',
        examples: ['Welcome'],
      }),
    {
      default: null,
      group: 'request',
      probed: 'resets status',
      form: { section: 'request', label: 'Keyword', hint: 'Text that the response body must contain.' },
    },
  ),
  assertions: field(assertionsSchema, {
    output: shownAssertionsSchema,
    default: [],
    group: 'assertions',
    probed: 'resets status',
    read: readAssertions,
    form: {
      section: 'assertions',
      control: 'assertions',
      label: 'Assertions',
      hint: 'What a response must meet for the check to succeed.',
    },
  }),
  send: field(
    storable(z.string('must be a string or null').min(1, 'must not be empty').max(MAX_BANNER_REQUEST))
      .nullable()
      .meta({
        description:
          'Text to send after connecting, before the banner is read; null for none. Stored encrypted',
        examples: ['PING\r\n'],
      }),
    {
      default: null,
      group: 'banner',
      probed: 'resets status',
      secret: secretText,
      form: {
        section: 'assertions',
        control: 'escaped',
        label: 'Send first',
        placeholder: 'PING\\r\\n',
        hint: 'Text to send before the banner is read, if an assertion is about the banner. \\r, \\n, \\t and \\\\ are escapes. Stored encrypted.',
      },
    },
  ),
  ...LOOKUP_FIELDS,
  protocol: field(protocolSchema, {
    default: 'none',
    group: 'protocol',
    probed: 'resets status',
    form: {
      section: 'target',
      label: 'Protocol',
      hint: 'What the server must speak once it has accepted the connection.',
      option: (value) => new Map<string, string>(Object.entries(PROTOCOL_LABELS)).get(value) ?? value,
    },
  }),
  ...CONNECTION_FIELDS,
  followRedirects: field(flag.describe('Whether redirects are followed'), {
    default: true,
    group: 'request',
    probed: 'resets status',
    form: { section: 'request', label: 'Follow redirects' },
  }),
  maxRedirects: field(whole(0, 10).describe('Redirects to follow if followRedirects is true'), {
    default: 5,
    group: 'request',
    probed: 'resets status',
    form: {
      section: 'request',
      label: 'Maximum redirects',
      hint: '0–10. Checks with more redirects fail.',
    },
  }),
  tlsVerify: field(
    flag.describe(
      'Whether a check fails if the certificate cannot be verified. If it does, a tcp monitor with the protocol smtp, imap, pop3 or ftp also fails where the server does not offer TLS',
    ),
    {
      default: true,
      group: 'certificate',
      probed: 'resets status',
      form: { section: 'certificate', label: 'Verify certificate' },
    },
  ),
  tlsExpiryDays: field(
    whole(1, 365)
      .nullable()
      .meta({
        description:
          'Degraded if a certificate expires within this many days: of the target, of the hosts that it redirects to, or one that issued them; null for no warning',
        examples: [14],
      }),
    {
      default: null,
      group: 'certificate',
      decides: 'not replayed',
      form: {
        section: 'certificate',
        label: 'Certificate warning',
        unit: 'd',
        hint: 'Degraded if the certificate, or one that it depends on, expires within this many days. Leave empty for no warning.',
      },
    },
  ),
  ...CALL_FIELDS,
  ...MEMBER_FIELDS,
  ...DEPENDENCY_FIELDS,
  tags: field(described(tagsSchema, 'Labels to filter by', ['shop', 'production']), {
    default: [],
    form: { section: 'more', label: 'Tags', placeholder: 'shop, production', hint: 'Comma-separated.' },
  }),
  ref: field(
    described(refText.nullable(), 'Your own ID for this monitor, unique in the organization', 'checkout-api'),
    {
      default: null,
      form: { section: 'more', label: 'Reference', hint: 'Your own ID for this monitor. Must be unique.' },
    },
  ),
  enabled: field(
    described(flag, 'Whether the monitor is checked. A paused one keeps its last status', true),
    {
      default: true,
      form: {
        section: 'more',
        label: 'Enabled',
        hint: 'When off, checks stop, the status freezes, and no alerts are sent.',
      },
    },
  ),
};
