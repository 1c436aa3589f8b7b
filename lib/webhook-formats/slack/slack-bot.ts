import { z } from 'zod';
import { DONE, type EditableProduct, type ProductTarget, parseJson, type Received } from '../editable';
import { withFields } from '../request';

/** Slack responds with 200 to requests that fail, too. */
const responseSchema = z.object({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^\w{1,64}$/)
    .catch('an unknown error'),
});
const postedSchema = z.object({
  ts: z.string().regex(/^\d{1,20}\.\d{1,20}$/),
  channel: z.string().regex(/^\w{1,64}$/),
});

/** The message was deleted, or belongs to another app or a time in which it could be edited. */
const GONE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/** What to do about errors of https://docs.slack.dev/reference/methods/chat.postMessage. */
const REMEDIES: Readonly<Record<string, string>> = {
  channel_not_found: 'check the channel; invite the app to it if it is private',
  not_in_channel: 'invite the app to the channel',
  is_archived: 'the channel is archived; choose another one',
  restricted_action: 'the workspace does not let the app post to this channel',
  invalid_auth: 'set the bot token again',
  not_authed: 'set the bot token again',
  token_revoked: 'the bot token was revoked; set a new one',
  token_expired: 'the bot token has expired; set a new one',
  account_inactive: 'the app was removed from the workspace; install it again and set its token',
  missing_scope: 'add the scope chat:write to the app, and install it again',
  not_allowed_token_type: 'use the token of a bot, which begins with xoxb-',
};

/** Slack's Web API with the token of a bot: one message for each incident, with a thread of what changed. */
export const slackBot: EditableProduct = {
  post: (target, body) => call(target, 'chat.postMessage', body, {}),
  edit: (target, { id: ts, channel }, body) => call(target, 'chat.update', body, { channel, ts }),
  reply: ({ id, channel }, body, step) => {
    // Only those who follow the thread are notified of a reply that is not broadcast.
    const loud = step === 'loud' ? { reply_broadcast: true } : {};
    return (target) => call(target, 'chat.postMessage', body, { channel, thread_ts: id, ...loud });
  },
  readPosted: (text) => {
    const { data: posted } = postedSchema.safeParse(parseJson(text));
    return posted ? { id: posted.ts, channel: posted.channel } : null;
  },
  judge: (received) => {
    const { data: response } = responseSchema.safeParse(parseJson(received.text));
    if (response?.ok) return DONE;
    if (response) return { error: formatProblem(response.error, received), isGone: GONE.has(response.error) };
    const isSuccess = received.statusCode >= 200 && received.statusCode < 300;
    return isSuccess
      ? { error: 'the response is not one of the Slack API; check the URL', isGone: false }
      : null;
  },
};

function call(
  { url, credentials: { token, channel } }: ProductTarget,
  method: string,
  body: string,
  fields: object,
) {
  return {
    method: 'POST' as const,
    url: `${url.replace(/\/+$/, '')}/${method}`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json; charset=utf-8' },
    body: withFields(body, { channel, ...withoutUndefined(fields) }),
  };
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function formatProblem(error: string, { headers }: Received): string {
  const seconds = /^\d{1,5}$/.exec(headers['retry-after'] ?? '')?.[0];
  const wait = seconds === undefined ? 'later' : `in ${seconds} seconds`;
  const isLimited = error === 'ratelimited' || error === 'rate_limited';
  const remedy = isLimited
    ? `it accepts messages again ${wait}`
    : new Map(Object.entries(REMEDIES)).get(error);
  return remedy === undefined ? `Slack responded with ${error}` : `Slack responded with ${error}: ${remedy}`;
}
