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

describe('Slack', () => {
  const hook = 'https://hooks.slack.com/services/T0/B0/x';
  const credentials = { token: 'xoxb-1-a', channel: '#alerts' };
  const issuesOf = (body: object) =>
    createWebhookSchema
      .safeParse({ format: 'slack', ...body })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

  it('takes the URL of an incoming webhook, or the token of a bot and a channel', () => {
    expect(issuesOf({ url: hook })).toEqual([]);
    expect(createWebhookSchema.parse({ format: 'slack', credentials })).toMatchObject({
      url: 'https://slack.com/api',
      credentials,
    });
    expect(issuesOf({ url: 'https://proxy.example.com/slack', credentials })).toEqual([]);
  });

  it.each([
    [{}, 'url: is required with this format'],
    [{ url: 'https://slack.com/api' }, 'url: must be the URL of an incoming webhook'],
    [
      { url: hook, credentials },
      'url: must be empty with the token of a bot, not the URL of an incoming webhook',
    ],
    [{ credentials: { token: 'xoxb-1-a' } }, 'credentials.channel: is required with this format'],
    [{ credentials: { channel: 'C1' } }, 'credentials.token: is required with this format'],
    [
      { credentials: { ...credentials, token: 'xoxp-1' } },
      'credentials.token: must be the token of a bot, which begins with xoxb-',
    ],
    [
      { credentials: { ...credentials, channel: 'a/b' } },
      'credentials.channel: must be the name or the ID of a channel',
    ],
  ])('does not take %j', (body, issue) => {
    expect(issuesOf(body)).toEqual([issue]);
  });
});
