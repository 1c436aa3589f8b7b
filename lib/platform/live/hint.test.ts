import { expect, it } from 'vitest';
import { formatHint, parseHint } from './note-live';

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `org_${String(index).padStart(26, '0')}`);

it('is read as it was written', () => {
  const [text = ''] = formatHint({ kind: 'changes', organizationIds: ['org_1', 'org_2', 'org_1'] });
  expect(parseHint(text)).toEqual({ kind: 'changes', organizationIds: ['org_1', 'org_2'] });
});

it('has no text without organizations', () => {
  expect(formatHint({ kind: 'results', organizationIds: [] })).toEqual([]);
});

it('for many organizations takes several texts, each short enough for a notification', () => {
  const texts = formatHint({ kind: 'deliveries', organizationIds: ids(401) });
  expect(texts).toHaveLength(3);
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(8000);
  expect(texts.flatMap((text) => parseHint(text)?.organizationIds ?? [])).toEqual(ids(401));
});
