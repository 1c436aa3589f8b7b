import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/navigation/button-link';

type Props = { title: string; create: { href: string; label: string } | null; children?: ReactNode };

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
