import Link from 'next/link';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';

/** In place of a form: why the link that led here is not good, and where a new one is asked for. */
export function DeadLink({ reason, href, label }: { reason: string; href: string; label: string }) {
  return (
    <>
      <Banner tone="bad">{reason}</Banner>
      <Link prefetch={false} href={href} className={buttonLook({ size: 'large' })}>
        {label}
      </Link>
    </>
  );
}
