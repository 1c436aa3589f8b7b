import { z } from 'zod';
import type { SpokenProtocol } from '@/lib/checks/tcp/protocols';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { isRecord, looseFlag, looseList, looseRecord, looseText } from '../files/loose';
import { addAssertions, leaveOut, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { NO_TARGET, onlyPort, onlyReady } from '../plan/reasons';
import { connectionTarget } from '../plan/targets';

const stepSchema = z.object({
  expect: looseText,
  expect_bytes: looseText,
  send: looseText,
  starttls: looseFlag,
});
/** The settings of the `tcp` prober. */
export const tcpSchema = z.object({
  query_response: looseList.transform((list) => list.filter(isRecord).map((each) => stepSchema.parse(each))),
  tls: looseFlag,
  tls_config: looseRecord.pipe(z.object({ insecure_skip_verify: looseFlag })),
});

/** Makes the monitor a connection of the `tcp` prober. Returns why it cannot be imported. */
export function setTcpModule(
  draft: Draft,
  { query_response: steps, tls, tls_config: config }: z.output<typeof tcpSchema>,
  target: string,
): string | null {
  const address = connectionTarget(target, null);
  if (address === null) return NO_TARGET;
  draft.setTarget('tcp', address);
  const mail = steps.some(({ starttls }) => starttls === true) ? protocolOf(steps) : null;
  if (tls === true) draft.body.protocol = 'tls';
  else if (mail !== null) draft.body.protocol = mail;
  if (draft.hasTls) draft.body.tlsVerify = config.insecure_skip_verify !== true;
  if (mail !== null && tls !== true) draft.change(onlyReady('The rest of the conversation is'));
  else if (steps.length > 0) setConversation(draft, steps);
  return null;
}

/** The protocol that changes to TLS with these commands; null: another one. */
function protocolOf(steps: readonly z.output<typeof stepSchema>[]): SpokenProtocol | null {
  const sent = steps.map(({ send }) => send ?? '').join('\n');
  if (/^STLS\b/im.test(sent)) return 'pop3';
  if (/^AUTH TLS\b/im.test(sent)) return 'ftp';
  if (/^STARTTLS\b/im.test(sent)) return 'smtp';
  return /^\S+ STARTTLS\b/im.test(sent) ? 'imap' : null;
}

/** What is sent until the first response, and that response. A line ends with the newline that the exporter adds. */
function setConversation(draft: Draft, steps: readonly z.output<typeof stepSchema>[]): void {
  const isExpected = ({ expect, expect_bytes: bytes }: (typeof steps)[number]) => (expect || bytes) !== null;
  const first = steps.findIndex(isExpected);
  const expected = steps[first];
  const before = steps.slice(0, Math.max(0, first));
  if (expected === undefined || before.some(({ starttls }) => starttls === true)) {
    draft.change(onlyPort('The conversation is'));
    return;
  }
  const sent = before.map(({ send }) => (send === null ? '' : `${send}\n`)).join('');
  const send = sent === '' ? null : monitorFields.send.safeParse(sent);
  const added =
    send?.success !== false &&
    addAssertions(draft, { source: 'banner', comparison: 'matches', target: patternOf(expected) });
  if (!added) {
    leaveOut(draft, 'the response', NO_SPACE);
    return;
  }
  if (send !== null) draft.body.send = send.data;
  if (first < steps.length - 1 || expected.send || expected.starttls === true)
    draft.change('The conversation is not imported after its first response.');
}

/** The exporter matches line by line, without the end of the line; Pharos matches what has arrived. */
function patternOf({ expect, expect_bytes: bytes }: z.output<typeof stepSchema>): string {
  if (expect) return `(?m)${expect.replace(/(^|[^\\])\$$/, '$1\\r?$')}`;
  return `^${literal(bytes ?? '')}`;
}
