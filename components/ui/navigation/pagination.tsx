import { ButtonLink } from './button-link';

type Props = {
  /** Absent on the first page. */
  first: string | null | undefined;
  /** Absent on the last page. */
  next: string | null | undefined;
  /** Names for one of several lists on a page, whose links do not scroll. */
  list?: { label: string; first: string; next: string };
};

/** Links to the first and next page of a list; nothing if there is only one page. */
export function Pagination({ first, next, list }: Props) {
  const links = [
    { href: first, text: list?.first ?? 'First page' },
    { href: next, text: list?.next ?? 'Next page' },
  ].filter(({ href }) => href);
  if (links.length === 0) return null;
  return (
    <nav aria-label={list?.label ?? 'Pagination'} className="flex justify-end gap-2">
      {links.map(({ href, text }) => (
        <ButtonLink key={text} scroll={list === undefined} href={href ?? ''}>
          {text}
        </ButtonLink>
      ))}
    </nav>
  );
}
