import { LRUCache } from 'lru-cache';
import type { ReactElement } from 'react';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { isSame } from './day-bars';
import { encodeElement, insertEncoded, type Parts } from './encoded-parts';

type Props = {
  id: string;
  /** Everything that the content shows besides its days. */
  facts: string;
  days: readonly ViewedDay[];
  children: ReactElement;
};

type RenderedRow = { days: readonly ViewedDay[]; parts: Parts };

/** By their facts. The bars in them are those of `DayBars`, which counts them, too. */
const renderedRows = new LRUCache<string, RenderedRow>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ days, parts }, facts) =>
    parts.reduce((bytes, { length }) => bytes + length, 2 * facts.length + 100 * days.length),
});

/** An item whose content is rendered once, until it changes: most rows of a page are as they were when it was read last. */
export function RememberedRow({ id, facts, days, children }: Props) {
  const last = renderedRows.get(facts);
  const isKnown = last !== undefined && isSame(last.days, days);
  const parts = isKnown ? last.parts : encodeElement(children);
  if (parts === null) return <li id={id}>{children}</li>;
  if (!isKnown) renderedRows.set(facts, { days, parts });
  return <li id={id} dangerouslySetInnerHTML={{ __html: insertEncoded(parts) }} />;
}
