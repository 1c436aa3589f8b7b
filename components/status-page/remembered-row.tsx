import { LRUCache } from 'lru-cache';
import type { ReactElement } from 'react';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { isSame } from './day-bars';
import { insertLater, type Parts } from './encoded-parts';

type Props = {
  id: string;
  /** Everything that the content shows besides its days, as a text. */
  facts: () => string;
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
  const html = insertLater((encode) => {
    const key = facts();
    const last = renderedRows.get(key);
    if (last !== undefined && isSame(last.days, days)) return last.parts;
    const parts = encode(children);
    renderedRows.set(key, { days, parts });
    return parts;
  });
  return html === null ? (
    <li id={id}>{children}</li>
  ) : (
    <li id={id} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
