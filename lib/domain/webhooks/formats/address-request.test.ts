import { describe, expect, it } from 'vitest';
import type { SentOutcome } from '@/lib/domain/webhooks/send-delivery';
import type { StoredBody } from '@/lib/webhook-formats/request';
import { addressRequest, hideSecrets } from './address-request';

const stored: StoredBody = {
  url: 'https://hooks.example.com/a',
  body: '{"text":"x"}',
  event: 'monitor.down',
  messageKey: null,
};
const SECRET = 'xoxb-secret';

describe('a request to a product', () => {
  it('has its credentials where they belong, and what is kept of it has none', () => {
    const credentials = { token: SECRET, channel: '#alerts' };
    const { sent, shown } = addressRequest('slack', { ...stored, url: 'https://slack.com/api' }, credentials);
    expect(sent).toMatchObject({ method: 'POST', url: 'https://slack.com/api/chat.postMessage' });
    expect(sent.headers.Authorization).toBe(`Bearer ${SECRET}`);
    expect(shown.headers.Authorization).toBe('Bearer [hidden]');
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });

  it('goes to the URL of its endpoint where nothing else is needed', () => {
    const plain = { method: 'POST', url: stored.url, headers: {}, body: stored.body };
    // Without the token of a bot, Slack takes the URL of an incoming webhook.
    for (const format of ['slack', 'teams', 'no longer known'])
      expect(addressRequest(format, stored, {})).toEqual({ sent: plain, shown: plain });
  });
});

describe('what a receiver responded', () => {
  const made = { request: { method: 'POST' as const, url: stored.url, headers: {} }, duration: 5 };
  const response = {
    statusCode: 401,
    headers: { 'x-echo': `token ${SECRET}` },
    body: `${SECRET} and ${SECRET}`,
  };
  const hidden = { statusCode: 401, headers: { 'x-echo': 'token [hidden]' }, body: '[hidden] and [hidden]' };

  it.each<[SentOutcome, SentOutcome]>([
    [
      { ...made, kind: 'delivered', response },
      { ...made, kind: 'delivered', response: hidden },
    ],
    [
      { ...made, kind: 'rejected', response, error: `bad ${SECRET}` },
      { ...made, kind: 'rejected', response: hidden, error: 'bad [hidden]' },
    ],
    [
      { ...made, kind: 'failed', statusCode: null, error: `bad ${SECRET}` },
      { ...made, kind: 'failed', statusCode: null, error: 'bad [hidden]' },
    ],
  ])('repeats no credentials: %j', (outcome, shown) => {
    expect(hideSecrets(outcome, { token: SECRET, channel: 'x' })).toEqual(shown);
  });

  it('repeats what is too short to be a secret', () => {
    const outcome: SentOutcome = { ...made, kind: 'failed', statusCode: null, error: 'four fives' };
    expect(hideSecrets(outcome, { channel: 'four' })).toBe(outcome);
    expect(hideSecrets(outcome, { channel: 'fives' })).toMatchObject({ error: 'four [hidden]' });
    expect(hideSecrets(outcome, {})).toBe(outcome);
  });
});
