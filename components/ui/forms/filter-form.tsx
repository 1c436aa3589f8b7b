import type { ReactNode } from 'react';
import { Button } from '../button';
import { ButtonLink } from '../navigation/button-link';

type Props = { path: string; label: string; isFiltered: boolean; children: ReactNode };

/** Filters a list through the URL; works without scripts. Its key should be the query, so that the fields match the list. */
export function FilterForm({ path, label, isFiltered, children }: Props) {
  return (
    <form action={path} className="flex flex-wrap items-end gap-3" aria-label={label}>
      {children}
      <Button type="submit" size="large">
        Apply
      </Button>
      {isFiltered ? (
        <ButtonLink tone="bare" size="large" href={path}>
          Clear filters
        </ButtonLink>
      ) : null}
    </form>
  );
}

/** Whether any filter of a list's query is set. */
export function isFiltered({ after: _, ...filter }: { after?: unknown }): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
