import Link from 'next/link';
import type { ReactNode } from 'react';
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

/** The bar at the top of the dashboard; `children` are shown at its right end. */
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

/** The logo, a lighthouse; decorative, because the name is next to it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2a55c9" />
      <path d="M3.5 6.4 12.4 9v3L3.5 14.6zM28.5 6.4 19.6 9v3l8.9 2.6z" fill="#fff" opacity=".45" />
      <path d="M13.2 8.2 16 5.5l2.8 2.7v4.3h-5.6z" fill="#ffd166" />
      <path d="M12 13.2h8v1.6h-8zM13 15.8h6l1.5 9.4h-9zM9.8 26h12.4v1.5H9.8z" fill="#fff" />
    </svg>
  );
}
