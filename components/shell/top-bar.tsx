'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { Mark } from './mark';
import { NavLink } from './nav-link';
import { PLACES } from './places';

type Props = {
  serviceName: string;
  /** The organization menu. */
  organization: ReactNode;
  /** The number of recently failed deliveries. */
  failedDeliveries: number;
  children: ReactNode;
};

const MAX_COUNT = 99;

/** The bar at the top of the dashboard; `children` are shown at its right end. Rendered in the browser, too, for the reason of `UptimeCells`. */
export function TopBar({ serviceName, organization, failedDeliveries, children }: Props) {
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 px-4 sm:px-6 lg:h-12 lg:flex-nowrap">
        <Link prefetch={false} href="/monitors" className="flex shrink-0 items-center gap-2 font-semibold">
          <Mark className="size-6" />
          <span className="sr-only sm:not-sr-only">{serviceName}</span>
        </Link>
        <span className="text-line-strong" aria-hidden="true">
          /
        </span>
        {organization}
        <nav
          aria-label="Main"
          className="scroll-hint -mx-1 flex h-10 items-stretch gap-4 overflow-x-auto pr-6 pl-1 max-lg:order-last max-lg:w-full lg:ml-4 lg:h-full lg:pr-1"
        >
          {PLACES.map(({ href, label }) => (
            <NavLink
              key={href}
              href={href}
              label={label}
              count={href === '/notifications' ? formatFailed(failedDeliveries) : null}
            />
          ))}
        </nav>
        <div className="ml-auto flex h-12 items-center">{children}</div>
      </div>
    </header>
  );
}

function formatFailed(count: number) {
  if (count === 0) return null;
  const shown = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
  return { shown, meaning: count === 1 ? 'failed delivery' : 'failed deliveries' };
}
