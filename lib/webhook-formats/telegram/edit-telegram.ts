import { z } from 'zod';
import { DONE, type EditableProduct, type ProductTarget, parseJson } from '../editable';
import { withFields } from '../request';

const postedSchema = z.object({ result: z.object({ message_id: z.int().positive() }) });
const failedSchema = z.object({ description: z.string() });

const GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/;

/** Telegram's Bot API. A change of the status is a reply, without a sound unless people have to be notified of it. */
export const editTelegram: EditableProduct = {
  post: (target, body) => call(target, 'sendMessage', body, {}),
  edit: (target, { id }, body) => call(target, 'editMessageText', body, { message_id: Number(id) }),
  reply: ({ id }, body, step) => {
    if (step === 'same') return null;
    const reply = { message_id: Number(id), allow_sending_without_reply: true };
    const quiet = step === 'loud' ? {} : { disable_notification: true };
    return (target) => call(target, 'sendMessage', body, { reply_parameters: reply, ...quiet });
  },
  readPosted: (text) => {
    const { data: posted } = postedSchema.safeParse(parseJson(text));
    return posted ? { id: String(posted.result.message_id) } : null;
  },
  judge: ({ statusCode, text }) => {
    if (statusCode !== 400) return null;
    const { description = '' } = failedSchema.safeParse(parseJson(text)).data ?? {};
    if (description.includes('message is not modified')) return DONE;
    return { error: 'responded with 400, expected 2xx', isGone: GONE.test(description) };
  },
};

function call(
  { url, credentials: { token, chatId } }: ProductTarget,
  method: string,
  body: string,
  fields: object,
) {
  return {
    method: 'POST' as const,
    url: `${url.replace(/\/+$/, '')}/bot${token}/${method}`,
    headers: {},
    body: withFields(body, { chat_id: chatId, ...fields }),
  };
}
