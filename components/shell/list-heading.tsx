import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { EmptyState } from '@/components/ui/section';

/** The link to create an item; null for those who may not. */
type Create = { href: string; label: string } | null;

type Props = { title: string; create: Create; children?: ReactNode };

/** The head of a list: its title, `children` after it, and the link to create an item. */
export function ListHeading({ title, create, children }: Props) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
      {create ? (
        <ButtonLink tone="primary" href={create.href} icon={<Plus />} className="ml-auto">
          {create.label}
        </ButtonLink>
      ) : null}
    </div>
  );
}

type EmptyListProps = Props & { text: ReactNode };

/** Shown in place of a list before its first item, with the link to create it. */
export function EmptyList({ title, text, create, children }: EmptyListProps) {
  return (
    <EmptyState title={title} text={text}>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {create ? (
          <ButtonLink tone="primary" size="large" href={create.href} icon={<Plus />}>
            {create.label}
          </ButtonLink>
        ) : null}
        {children}
      </div>
    </EmptyState>
  );
}
