import { z } from 'zod';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { isRecord, looseFlag, looseList, looseText } from '../files/loose';
import { addAssertions, leaveOut, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { NO_TARGET, onlyPort } from '../plan/reasons';
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
});

/** Makes the monitor a connection of the `tcp` prober. Returns why it cannot be imported. */
export function setTcpModule(
  draft: Draft,
  { query_response: steps, tls }: z.output<typeof tcpSchema>,
  target: string,
): string | null {
  const address = connectionTarget(target, null);
  if (address === null) return NO_TARGET;
  draft.setTarget('tcp', address);
  if (tls === true) draft.change(onlyPort('TLS and what is said over it are'));
  else if (steps.length > 0) setConversation(draft, steps);
  return null;
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
