import { describe, expect, it } from 'vitest';
import { createWebhookSchema, defaultEvents } from './webhook';

const url = 'https://hooks.example.com/a';
const PAGER = { format: 'pagerduty', credentials: { routingKey: 'routing-key-1' } };

describe('a new endpoint of a product', () => {
  it.each([
    ['pagerduty', true],
    ['opsgenie', true],
    ['custom', true],
    ['ntfy', false],
    ['telegram', false],
    ['pushover', false],
  ] as const)('%s gets incident.acknowledged by default: %s', (format, expected) => {
    expect(defaultEvents(format).includes('incident.acknowledged')).toBe(expected);
  });

  it('has its address, unless another is given', () => {
    const { url: own } = createWebhookSchema.parse(PAGER);
    expect(own).toBe('https://events.pagerduty.com/v2/enqueue');
    expect(createWebhookSchema.parse({ ...PAGER, url: null }).url).toBe(own);
    const { credentials } = PAGER;
    const events = defaultEvents('opsgenie');
    expect(createWebhookSchema.parse({ ...PAGER, url })).toMatchObject({ url, credentials, events });
  });

  const NOT_ASCII = 'must be ASCII without spaces';

  it.each([
    [{ format: 'pagerduty' }, 'routingKey: is required with this format'],
    [{ url, ...PAGER, format: 'standard' }, 'routingKey: does not belong to the format standard'],
    [{ format: 'pagerduty', credentials: { routingKey: 'a b' } }, `routingKey: ${NOT_ASCII}`],
    [{ format: 'pagerduty', credentials: { routingKey: 'ä' } }, `routingKey: ${NOT_ASCII}`],
    [{ format: 'pagerduty', credentials: { routingKey: '' } }, 'routingKey: must not be empty'],
    [
      { format: 'pagerduty', credentials: { routingKey: '[hidden]' } },
      'routingKey: is hidden: send the value itself',
    ],
    [
      { format: 'pagerduty', credentials: { routingKey: 'x'.repeat(201) } },
      'routingKey: must be at most 200 characters',
    ],
  ])('of %j is refused', (body, error) => {
    const issues = createWebhookSchema.safeParse(body).error?.issues ?? [];
    expect(issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      `credentials.${error}`,
    ]);
  });

  it('has no other credentials', () => {
    expect(createWebhookSchema.safeParse({ url, credentials: { key: 'x' } }).success).toBe(false);
  });
});
