import type { Conversation } from './exchange';
/** A reply of SMTP or FTP: its code, and its text without the codes. */
export type Reply = { code: number; lines: string[] };

const MAX_LINES = 100;

/** Reads a reply of one or several lines: `220-first`, `220 last` (RFC 5321 4.2.1; the lines between can have no code in RFC 959 4.2). */
export async function readReply(talk: Conversation, what: string): Promise<Reply> {
  const first = await talk.readLine(what);
  const match = /^([1-5]\d\d)([ -]|$)(.*)/.exec(first);
  if (match === null) throw talk.babble(first);
  const [, digits = '', separator, text = ''] = match;
  const lines = [text];
  let isLast = separator !== '-';
  while (!isLast) {
    const line = await talk.readLine(what);
    isLast = line.startsWith(`${digits} `) || line === digits;
    lines.push(line.replace(/^\d{3}[ -]?/, ''));
    if (lines.length > MAX_LINES) throw talk.babble(line);
  }
  return { code: Number(digits), lines };
}

/** A reply as the server sent it. */
export function formatReply({ code, lines }: Reply): string {
  return `${code} ${lines.join(' ')}`.trim();
}

/** Throws the failure of a server that replied with another code: a refusal, in its own words. */
export function requireCode(talk: Conversation, reply: Reply, code: number): void {
  if (reply.code !== code) throw talk.refusal(formatReply(reply));
}
