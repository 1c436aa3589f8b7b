import {
  areFacts,
  type MailBlock,
  type MailContent,
  type MailFact,
  type MailLine,
  type MailThread,
} from './queue-mail';

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Colors of the dashboard. Light ones are inline, for clients that drop style sheets; dark ones override them. */
const LIGHT = {
  canvas: 'background-color:#f8f9fa',
  card: 'background-color:#ffffff;border-color:#e5e7eb',
  ink: 'color:#14161a',
  muted: 'color:#565e6b',
  link: 'color:#2a55c9',
  button: 'background-color:#2a55c9;color:#ffffff',
};

const DARK: Record<keyof typeof LIGHT, string> = {
  canvas: 'background-color:#0c0d0f',
  card: 'background-color:#131417;border-color:#26292f',
  ink: 'color:#eceef1',
  muted: 'color:#9ba3b0',
  link: 'color:#8fb0ff',
  button: 'background-color:#8fb0ff;color:#0b1020',
};

const darkSheet = Object.entries(DARK)
  .map(([name, style]) => `.${name}{${style.replaceAll(';', '!important;')}!important}`)
  .join('');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A rendered mail without its addresses. */
export type RenderedMail = { subject: string; text: string; html: string; headers: Record<string, string> };

type Frame = { serviceName: string; thread?: MailThread | null };

/** Renders content as plain text and equivalent HTML, with the matching headers. In a thread, all mails have its subject. */
export function renderMail(content: MailContent, { serviceName, thread = null }: Frame): RenderedMail {
  return {
    subject: thread === null ? content.subject : formatThreadSubject(thread),
    text: renderText(content, serviceName),
    html: renderHtml(withPreview(content, thread), serviceName),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(content) },
  };
}

/** Mail programs recognize `Re:`, and keep the mails of a thread together only if their subject is the same otherwise. */
function formatThreadSubject({ subject, isFirst }: MailThread): string {
  return isFirst ? subject : `Re: ${subject}`;
}

/** Lists show the start of a mail next to its subject: what changed, unless the subject says it. */
function withPreview(content: MailContent, thread: MailThread | null): MailContent {
  const { subject, preheader } = content;
  if (thread === null || thread.subject === subject || preheader === undefined) return content;
  return { ...content, preheader: `${subject}. ${preheader}` };
}

/** RFC 2369, and RFC 8058 if possible: one-click unsubscribe requires https. */
function unsubscribeHeaders({ unsubscribeUrl: url }: MailContent): Record<string, string> {
  if (url === undefined) return {};
  const oneClick = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { 'List-Unsubscribe': `<${url}>`, ...(url.startsWith('https:') ? oneClick : {}) };
}

/** Renders the plain text: one line per paragraph, URLs on their own lines so that every client links them. */
function renderText(content: MailContent, serviceName: string): string {
  const { subject, blocks, button, footnote, unsubscribeUrl, unsubscribeLabel = 'Unsubscribe' } = content;
  const parts = [
    subject,
    ...blocks.map(renderBlock),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    [
      // Clients collapse everything below this line (RFC 3676).
      '-- ',
      serviceName,
      ...(footnote === undefined ? [] : [footnote]),
      ...(unsubscribeUrl === undefined ? [] : [`${unsubscribeLabel}: ${unsubscribeUrl}`]),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderBlock(block: MailBlock): string {
  if ('paragraph' in block) return block.paragraph;
  if ('heading' in block) return block.heading;
  if (areFacts(block.list)) return block.list.map(({ text, detail }) => `${text}: ${detail}`).join('\n');
  return block.list.map(renderLine).join('\n');
}

function renderLine({ text, detail, url }: MailLine): string {
  const head = detail === undefined ? `- ${text}` : `- ${text}: ${detail}`;
  return url === undefined ? head : `${head}\n  ${url}`;
}

/** The attributes of an element: its colors and other styles. */
function styleOf(color: keyof typeof LIGHT, style: string): string {
  return `class="${color}" style="${LIGHT[color]};${FONT};${style}"`;
}

/** Renders self-contained HTML: nothing is loaded from elsewhere. */
function renderHtml(content: MailContent, serviceName: string): string {
  const { language = 'en', subject, preheader, blocks, button } = content;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkSheet}}</style>
</head>
<body class="canvas" style="margin:0;padding:0;${LIGHT.canvas}">
${preheader === undefined ? '' : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>\n`}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="canvas" style="${LIGHT.canvas}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="card" style="${LIGHT.card};padding:24px;border-width:1px;border-style:solid;border-radius:8px">
<h1 ${styleOf('ink', 'margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere')}>${escapeHtml(subject)}</h1>
${blocks.map(renderHtmlBlock).join('\n')}
${button ? renderButton(button) : ''}
</td></tr>
<tr><td style="padding:16px 24px">
${renderFooter(content, serviceName)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderHtmlBlock(block: MailBlock): string {
  if ('paragraph' in block) {
    const style = 'margin:0 0 16px;font-size:15px;line-height:22px;overflow-wrap:anywhere';
    return `<p ${styleOf('ink', style)}>${escapeHtml(block.paragraph).replaceAll('\n', '<br>')}</p>`;
  }
  if ('heading' in block) {
    const style = 'margin:0 0 8px;font-size:15px;line-height:22px;font-weight:600;overflow-wrap:anywhere';
    return `<h2 ${styleOf('ink', style)}>${escapeHtml(block.heading)}</h2>`;
  }
  if (areFacts(block.list)) return renderFacts(block.list);
  // A single line, such as a link, is no enumeration.
  const marker = block.list.length === 1 ? 'padding:0;list-style:none' : 'padding:0 0 0 20px';
  return `<ul ${styleOf('ink', `margin:0 0 16px;${marker}`)}>\n${block.list.map(renderHtmlLine).join('\n')}\n</ul>`;
}

/** A table of two columns; a long value breaks anywhere, so that it fits a phone. */
function renderFacts(facts: readonly MailFact[]): string {
  const cell = 'padding:0 0 8px;font-size:15px;line-height:22px;vertical-align:top;text-align:left';
  const label = `${cell};padding-right:16px;font-weight:400;white-space:nowrap`;
  const rows = facts.map(
    ({ text, detail }) => `<tr>
<th scope="row" ${styleOf('muted', label)}>${escapeHtml(text)}</th>
<td width="100%" ${styleOf('ink', `${cell};word-break:break-word;overflow-wrap:anywhere`)}>${escapeHtml(detail)}</td>
</tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 8px">\n${rows.join('\n')}\n</table>`;
}

function renderHtmlLine({ text, detail, url }: MailLine): string {
  const name = escapeHtml(text);
  const head =
    url === undefined
      ? `<strong>${name}</strong>`
      : `<a href="${escapeHtml(url)}" ${styleOf('link', '')}>${name}</a>`;
  const tail =
    detail === undefined
      ? ''
      : `<br><span ${styleOf('muted', 'font-size:14px')}>${escapeHtml(detail)}</span>`;
  const style = 'margin:0 0 8px;font-size:15px;line-height:22px;overflow-wrap:anywhere';
  return `<li ${styleOf('ink', style)}>${head}${tail}</li>`;
}

function renderButton({ label, url }: NonNullable<MailContent['button']>): string {
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none';
  return `<p style="margin:8px 0 0"><a href="${escapeHtml(url)}" ${styleOf('button', style)}>${escapeHtml(label)}</a></p>`;
}

function renderFooter(content: MailContent, serviceName: string): string {
  const { footnote, unsubscribeUrl, unsubscribeLabel = 'Unsubscribe' } = content;
  const parts = [
    escapeHtml(serviceName),
    ...(footnote === undefined ? [] : [escapeHtml(footnote)]),
    ...(unsubscribeUrl === undefined
      ? []
      : [
          `<a href="${escapeHtml(unsubscribeUrl)}" ${styleOf('muted', '')}>${escapeHtml(unsubscribeLabel)}</a>`,
        ]),
  ];
  return `<p ${styleOf('muted', 'margin:0;font-size:13px;line-height:18px;overflow-wrap:anywhere')}>${parts.join('<br>')}</p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
