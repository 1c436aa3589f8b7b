'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

type Props = { sections: readonly { href: string; label: string }[] };

/** The sections of the settings as a row that scrolls sideways if it does not fit. */
export function SettingsNav({ sections }: Props) {
  const pathname = usePathname();
  return (
    <nav aria-label="Settings" className="flex gap-4 overflow-x-auto border-b border-line">
      {sections.map(({ href, label }) => (
        <Link
          key={href}
          prefetch={false}
          href={href}
          aria-current={pathname === href || pathname.startsWith(`${href}/`) ? 'page' : undefined}
          className="shrink-0 border-b-2 border-transparent px-1 pb-2 whitespace-nowrap text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
