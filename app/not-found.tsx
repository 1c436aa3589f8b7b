import Link from 'next/link';
import { NoticePage } from '@/components/shell/notice-page';
import { buttonLook } from '@/components/ui/button';

export default function NotFound() {
  return (
    <NoticePage title="There is nothing here">
      <p className="text-muted">The address is wrong, or what it led to was deleted.</p>
      <Link prefetch={false} href="/monitors" className={buttonLook({ size: 'large' })}>
        Go to monitors
      </Link>
    </NoticePage>
  );
}
