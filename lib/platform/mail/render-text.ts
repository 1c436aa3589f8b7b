import type { MailBlock, MailContent, MailLine } from './mail-content';

/** The plain text of a mail: one line a paragraph, addresses on lines of their own so that every client links them. */
export function renderText(content: MailContent, serviceName: string): string {
  const { blocks, button, footnote, unsubscribeUrl, unsubscribeLabel = 'Unsubscribe' } = content;
  const parts = [
    ...blocks.map(renderBlock),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    [
      // Clients fold away what stands below this line (RFC 3676).
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
  return block.list.map(renderLine).join('\n');
}

function renderLine({ text, detail, url }: MailLine): string {
  const head = detail === undefined ? `- ${text}` : `- ${text}: ${detail}`;
  return url === undefined ? head : `${head}\n  ${url}`;
}
