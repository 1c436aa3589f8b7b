import Link from 'next/link';
import { buttonLook } from '@/components/ui/button';

/** What an address without anything behind it says. */
export function PageNotFound() {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <h1 className="text-xl font-semibold">There is nothing here</h1>
      <p className="text-muted">The address is wrong, or what it led to was deleted.</p>
      <Link prefetch={false} href="/monitors" className={buttonLook({ size: 'large' })}>
        Go to monitors
      </Link>
    </div>
  );
}
