import Link from 'next/link';

const TABS = [
  { id: 'endpoints', href: '/notifications', label: 'Endpoints' },
  { id: 'deliveries', href: '/notifications/deliveries', label: 'Deliveries' },
] as const;

/** Tabs for endpoints and their deliveries. */
export function SectionTabs({ current }: { current: (typeof TABS)[number]['id'] }) {
  return (
    <nav aria-label="Notifications" className="flex gap-4 border-b border-line">
      {TABS.map(({ id, href, label }) => (
        <Link
          key={id}
          prefetch={false}
          href={href}
          aria-current={id === current ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent px-1 pb-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
