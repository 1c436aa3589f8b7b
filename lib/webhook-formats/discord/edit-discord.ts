import { z } from 'zod';
import { type EditableProduct, parseJson } from '../editable';

const postedSchema = z.object({ id: z.string().regex(/^\d{1,24}$/) });

/**
 * The webhook of a Discord channel, which can edit its messages, but cannot reply to them: what people have to be notified of is a message
 * of its own.
 */
export const editDiscord: EditableProduct = {
  // The response has the message only if it is waited for.
  post: (target, body) => post(withQuery(target.url, true), body),
  edit: ({ url }, { id }, body) => {
    const address = withQuery(url, false);
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/messages/${encodeURIComponent(id)}`;
    return { method: 'PATCH', url: address.href, headers: {}, body };
  },
  reply: (_message, body, step) => (step === 'loud' ? ({ url }) => post(withQuery(url, false), body) : null),
  readPosted: (text) => postedSchema.safeParse(parseJson(text)).data ?? null,
  judge: ({ statusCode }) =>
    statusCode === 404 ? { error: 'responded with 404, expected 2xx', isGone: true } : null,
};

function withQuery(url: string, isAwaited: boolean): URL {
  const address = new URL(url);
  address.searchParams.delete('wait');
  if (isAwaited) address.searchParams.set('wait', 'true');
  return address;
}

function post({ href }: URL, body: string) {
  return { method: 'POST' as const, url: href, headers: {}, body };
}
