import Link from 'next/link';
import type { ReactNode } from 'react';
import { Mark } from './mark';
import { NavLink } from './nav-link';

type Props = { serviceName: string; organizationName: string; children: ReactNode };

/** The bar above every page of the dashboard; `children` is what stands at its right end. */
export function TopBar({ serviceName, organizationName, children }: Props) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex h-12 max-w-7xl items-center gap-3 px-4 sm:px-6">
        <Link prefetch={false} href="/monitors" className="flex shrink-0 items-center gap-2 font-semibold">
          <Mark className="size-6" />
          <span className="sr-only sm:not-sr-only">{serviceName}</span>
        </Link>
        <span className="text-line-strong" aria-hidden="true">
          /
        </span>
        <span className="min-w-0 truncate text-sm">{organizationName}</span>
        <nav aria-label="Main" className="ml-2 flex h-full items-stretch gap-4 sm:ml-4">
          <NavLink href="/monitors" label="Monitors" />
        </nav>
        <div className="ml-auto flex items-center">{children}</div>
      </div>
    </header>
  );
}
