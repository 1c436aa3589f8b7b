import type { MailContent } from './mail-content';
import { renderHtml } from './render-html';
import { renderText } from './render-text';

/** A mail as it goes out, but for its addresses. */
export type RenderedMail = { subject: string; text: string; html: string; headers: Record<string, string> };

/** Renders content as plain text and as HTML that says the same, and the headers that belong to it. */
export function renderMail(content: MailContent, { serviceName }: { serviceName: string }): RenderedMail {
  return {
    subject: content.subject,
    text: renderText(content, serviceName),
    html: renderHtml(content, serviceName),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(content) },
  };
}

/** RFC 2369, and RFC 8058 where it can hold: one click ends a subscription, over https only. */
function unsubscribeHeaders({ unsubscribeUrl: url }: MailContent): Record<string, string> {
  if (url === undefined) return {};
  const oneClick = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { 'List-Unsubscribe': `<${url}>`, ...(url.startsWith('https:') ? oneClick : {}) };
}
