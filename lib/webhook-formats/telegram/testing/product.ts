import { z } from 'zod';
import { type ChatMessage, type Product, readJson } from '../../testing/product';

const TOKEN = '123456:0123456789012345678901234567890';
const CHAT = '-1001234567890';

/** https://core.telegram.org/bots/api#sendmessage */
const messageSchema = z.strictObject({
  chat_id: z.string().regex(/^(-?\d+|@\w{5,32})$/),
  text: z.string().min(1),
  parse_mode: z.literal('HTML'),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  disable_notification: z.boolean().optional(),
  reply_parameters: z
    .strictObject({ message_id: z.int(), allow_sending_without_reply: z.boolean() })
    .optional(),
});

/** https://core.telegram.org/bots/api#editmessagetext */
const editSchema = messageSchema
  .omit({ disable_notification: true, reply_parameters: true })
  .extend({ message_id: z.int() });

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

/** The text that Telegram shows for its HTML; null for HTML that it refuses. */
export function readTelegramHtml(html: string): string | null {
  const open: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)(\w+)[^<>]*>/g)) {
    if (end === '') open.push(name);
    else if (open.pop() !== name) return null;
  }
  const text = html.replace(/<\/?(b|i|u|s|code|pre|a)( href="[^"<>]*")?>/g, '');
  if (open.length > 0 || /[<>]/.test(text)) return null;
  if (/&(?!(lt|gt|amp|quot|#\d+|#x[\da-f]+);)/i.test(text)) return null;
  return text.replace(/&(lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Telegram's Bot API, with one bot and one chat. */
export const telegram: Product = {
  credentials: { token: TOKEN, chatId: CHAT },
  secrets: [TOKEN, CHAT],
  respond(request, _alerts, messages = []) {
    const refuse = (error_code: number, description: string) => ({
      status: error_code,
      body: { ok: false, error_code, description },
    });
    const [, method] = new RegExp(`^/bot${TOKEN}/(sendMessage|editMessageText)$`).exec(request.path) ?? [];
    if (method === undefined) return refuse(401, 'Unauthorized');
    const { value, errors } = readJson(z.union([messageSchema, editSchema]), request);
    if (errors) return refuse(400, `Bad Request: ${errors.join(', ')}`);
    if (value.chat_id !== CHAT) return refuse(400, 'Bad Request: chat not found');
    const text = readTelegramHtml(value.text);
    if (text === null) return refuse(400, "Bad Request: can't parse entities");
    if (text.length > 4096) return refuse(400, 'Bad Request: message is too long');
    const accept = ({ id }: ChatMessage) => {
      const result = { message_id: Number(id), chat: { id: Number(CHAT) }, text };
      return { status: 200, body: { ok: true, result } };
    };
    if (method === 'editMessageText') {
      const id = 'message_id' in value ? String(value.message_id) : '';
      const edited = messages.find((message) => message.id === id);
      if (!edited) return refuse(400, 'Bad Request: message to edit not found');
      const same = 'Bad Request: message is not modified: specified new message content is exactly the same';
      if (edited.text === text) return refuse(400, same);
      edited.text = text;
      edited.edits += 1;
      return accept(edited);
    }
    if ('message_id' in value) return refuse(400, 'Bad Request: message_id');
    const { reply_parameters: replyTo, disable_notification: isSilent = false } = value;
    const id = String(messages.length + 1);
    const sent = {
      id,
      text,
      replyTo: replyTo ? String(replyTo.message_id) : null,
      isLoud: !isSilent,
      edits: 0,
    };
    messages.push(sent);
    return accept(sent);
  },
};
