import { describe, expect, it } from 'vitest';
import { slackBot } from './slack-bot';

const target = { url: 'https://slack.com/api//', credentials: { token: 'xoxb-1', channel: '#alerts' } };
const POSTED = { id: '1772366400.000100', channel: 'C01' };
const BODY = '{"text":"Shop is down"}';
const judge = (response: object | string, { statusCode = 200, headers = {} } = {}) => {
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  return slackBot.judge({ statusCode, headers, text });
};

describe('a request', () => {
  it('posts to the channel of the endpoint', () => {
    const { url, headers, body } = slackBot.post(target, BODY);
    expect(url).toBe('https://slack.com/api/chat.postMessage');
    expect(headers.Authorization).toBe('Bearer xoxb-1');
    expect(JSON.parse(body)).toEqual({ text: 'Shop is down', channel: '#alerts' });
  });

  it('edits the message where it was posted, by the ID that Slack gave the channel', () => {
    const { url, body } = slackBot.edit(target, POSTED, BODY);
    expect(url).toBe('https://slack.com/api/chat.update');
    expect(JSON.parse(body)).toEqual({ text: 'Shop is down', channel: 'C01', ts: POSTED.id });
  });

  it('replies in the thread, and to everybody only if it is important', () => {
    const replyOf = (step: 'loud' | 'quiet') =>
      JSON.parse(slackBot.reply(POSTED, BODY, step)?.(target).body ?? '');
    expect(replyOf('loud')).toMatchObject({ thread_ts: POSTED.id, reply_broadcast: true });
    expect(replyOf('quiet')).not.toHaveProperty('reply_broadcast');
    const { body } = slackBot.edit(target, { id: POSTED.id }, BODY);
    expect(JSON.parse(body).channel, 'posted before Slack named the channel').toBe('#alerts');
  });
});

describe('what was posted', () => {
  const read = (fields: object) => slackBot.readPosted(JSON.stringify({ ok: true, ...fields }));

  it('is known by its time and channel', () => {
    expect(read({ ts: POSTED.id, channel: 'C01' })).toEqual(POSTED);
  });

  it.each([
    { ts: `x${POSTED.id}`, channel: 'C01' },
    { ts: `${POSTED.id}x`, channel: 'C01' },
    { ts: POSTED.id, channel: 'C 01' },
    { ts: POSTED.id, channel: ' C01' },
    { ts: POSTED.id, channel: 'C01 ' },
    { ts: POSTED.id },
  ])('is not known from %j', (fields) => {
    expect(read(fields)).toBeNull();
    expect(slackBot.readPosted('ok')).toBeNull();
  });
});

describe('a response', () => {
  it('is judged by what it says, whatever its status code', () => {
    expect(judge({ ok: true })).toEqual({ error: null, isGone: false });
    expect(judge({ ok: false, error: 'fatal_error' }, { statusCode: 500 })).toEqual({
      error: 'Slack responded with fatal_error',
      isGone: false,
    });
  });

  it.each([
    [200, 'the response is not one of the Slack API; check the URL'],
    [299, 'the response is not one of the Slack API; check the URL'],
    // The status code says enough.
    [199, null],
    [300, null],
    [404, null],
  ])('of something else with %i: %j', (statusCode, error) => {
    expect(judge('<html>', { statusCode })).toEqual(error === null ? null : { error, isGone: false });
  });

  it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
    '%s means that the message no longer exists',
    (error) => {
      expect(judge({ ok: false, error })?.isGone).toBe(true);
    },
  );

  it.each([
    ['channel_not_found', 'check the channel; invite the app to it if it is private'],
    ['not_in_channel', 'invite the app to the channel'],
    ['is_archived', 'the channel is archived; choose another one'],
    ['restricted_action', 'the workspace does not let the app post to this channel'],
    ['invalid_auth', 'set the bot token again'],
    ['not_authed', 'set the bot token again'],
    ['token_revoked', 'the bot token was revoked; set a new one'],
    ['token_expired', 'the bot token has expired; set a new one'],
    ['account_inactive', 'the app was removed from the workspace; install it again and set its token'],
    ['missing_scope', 'add the scope chat:write to the app, and install it again'],
    ['not_allowed_token_type', 'use the token of a bot, which begins with xoxb-'],
    ['rate_limited', 'it accepts messages again later'],
  ])('%s comes with a remedy', (error, remedy) => {
    expect(judge({ ok: false, error })).toEqual({
      error: `Slack responded with ${error}: ${remedy}`,
      isGone: false,
    });
  });

  it.each([
    ['30', 'in 30 seconds'],
    ['1234567', 'later'],
    ['30x', 'later'],
    ['<b>', 'later'],
  ])('with the pause %s accepts messages again %s', (pause, when) => {
    const headers = { 'retry-after': pause };
    expect(judge({ ok: false, error: 'ratelimited' }, { statusCode: 429, headers })?.error).toBe(
      `Slack responded with ratelimited: it accepts messages again ${when}`,
    );
  });

  it('is not repeated if its error is no word', () => {
    expect(judge({ ok: false, error: '<script>' })?.error).toBe('Slack responded with an unknown error');
  });
});
