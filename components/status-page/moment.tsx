import type { Translator } from './translator';

type Props = { at: string; t: Translator };

/** A moment in UTC; the page's script writes it in the visitor's zone and leaves UTC in the title. */
export function Moment({ at, t }: Props) {
  return <time dateTime={at}>{t.moment(at)}</time>;
}

/** A text with a moment in the place of `{time}`. */
export function WithMoment({ text, at, t }: Props & { text: string }) {
  const [before, after] = text.split('{time}');
  return (
    <>
      {before}
      <Moment at={at} t={t} />
      {after}
    </>
  );
}
