import { WithMoment } from './moment';
import type { Translator } from './translator';

/** When the page was true. The page's script keeps it up to date, in the words that stand in the data attributes. */
export function Freshness({ asOf, t }: { asOf: string; t: Translator }) {
  const { asOf: text, updated, stale } = t.messages;
  return (
    <p id="fresh" data-updated={updated} data-stale={stale}>
      <WithMoment text={text} at={asOf} t={t} />
    </p>
  );
}
