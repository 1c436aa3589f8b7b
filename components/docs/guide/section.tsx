import type { ReactNode } from 'react';

type Props = { id: string; title: string; children: ReactNode };

/** A section of the guide in words. */
export function Section({ id, title, children }: Props) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      data-entry={title}
      data-hint="Guide"
      className="flex max-w-3xl scroll-mt-12 flex-col gap-3 border-t border-line py-8 [&_code]:font-mono [&_code]:text-[0.8125rem] [&_code]:wrap-anywhere [&_dd]:pb-2 [&_dt]:font-medium [&_li]:ml-4 [&_li]:list-disc"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        <a href={`#${id}`} className="hover:underline">
          {title}
        </a>
      </h2>
      {children}
    </section>
  );
}

type Row = { name: string; note?: string; meaning: ReactNode };

/** Names, as code, and what they mean; `heads` are the titles of the two columns. */
export function MeaningTable({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: [string, string];
  rows: Row[];
}) {
  return (
    <table className="w-full table-fixed border-collapse text-left [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_td]:align-top [&_th]:py-1.5 [&_th]:pr-3 [&_th]:align-top [&_th]:font-normal">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="w-2/5">
            {heads[0]}
          </th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, note, meaning }) => (
          <tr key={name}>
            <th scope="row" className="border-t border-line wrap-anywhere">
              <code>{name}</code>
              {note ? <span className="ml-2 whitespace-nowrap text-muted">{note}</span> : null}
            </th>
            <td className="wrap-anywhere">{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
