import { ChevronLeft } from 'lucide-react';
import Link from 'next/link';

/** A link to the parent page. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Link
      prefetch={false}
      href={href}
      className="flex max-w-full items-center gap-1 self-start text-sm text-muted hover:text-ink"
    >
      <ChevronLeft className="size-4 shrink-0" aria-hidden="true" />
      <span className="truncate">{label}</span>
    </Link>
  );
}
