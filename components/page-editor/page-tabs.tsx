'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

const TABS = [
  { end: '', label: 'Page' },
  { end: '/domain', label: 'Domain' },
  { end: '/share', label: 'Share' },
  { end: '/subscribers', label: 'Subscribers' },
] as const;

/** The tabs of a status page. */
export function PageTabs({ slug }: { slug: string }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Status page" className="flex gap-4 overflow-x-auto border-b border-line">
      {TABS.map(({ end, label }) => {
        const href = `/status-pages/${slug}${end}`;
        return (
          <Link
            key={end}
            prefetch={false}
            href={href}
            aria-current={href === pathname ? 'page' : undefined}
            className="-mb-px border-b-2 border-transparent px-1 pb-2 text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
