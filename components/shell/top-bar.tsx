import Link from 'next/link';
import type { ReactNode } from 'react';
import { Mark } from './mark';
import { NavLink } from './nav-link';
import { PLACES } from './places';

type Props = {
  serviceName: string;
  /** Which organization is on the screen. */
  organization: ReactNode;
  /** Deliveries that failed lately. */
  failedDeliveries: number;
  children: ReactNode;
};

const SHOWN_COUNT = 99;

/** The bar above every page of the dashboard; `children` is what stands at its right end. */
export function TopBar({ serviceName, organization, failedDeliveries, children }: Props) {
  return (
    <header className="border-b border-line bg-surface">
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
              count={href === '/notifications' ? sayFailed(failedDeliveries) : null}
            />
          ))}
        </nav>
        <div className="ml-auto flex h-12 items-center">{children}</div>
      </div>
    </header>
  );
}

function sayFailed(count: number) {
  if (count === 0) return null;
  const shown = count > SHOWN_COUNT ? `${SHOWN_COUNT}+` : String(count);
  return { shown, meaning: count === 1 ? 'failed delivery' : 'failed deliveries' };
}
