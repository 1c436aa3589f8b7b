import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';
import { type Cursor, formatCursor } from '@/lib/schemas/cursor';
import type { SubscriberStatus } from '@/lib/schemas/subscriber';

type Props = {
  path: string;
  status: SubscriberStatus | undefined;
  isFirst: boolean;
  /** Where the next page begins; null: this is the last. */
  next: Cursor | null;
};

/** The ways to the next page of subscribers and back to the first. */
export function SubscriberPager({ path, status, isFirst, next }: Props) {
  if (isFirst && next === null) return null;
  const at = (place: Cursor | null) =>
    `${path}?${new URLSearchParams({
      ...(status ? { status } : {}),
      ...(place ? { after: formatCursor(place) } : {}),
    })}`;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {isFirst ? null : (
        <Link prefetch={false} href={at(null)} className={buttonLook()}>
          First page
        </Link>
      )}
      {next ? (
        <Link prefetch={false} href={at(next)} className={buttonLook()}>
          Next page
        </Link>
      ) : null}
    </nav>
  );
}
