import type { ReactNode } from 'react';
import { Mark } from '@/components/shell/mark';
import { getEnvironment } from '@/lib/env';

/** For all pages outside the dashboard: each reads the session or a link. */
export const dynamic = 'force-dynamic';

/** The frame of the pages outside the dashboard. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main
      id="content"
      className="mx-auto flex w-full max-w-md flex-col gap-6 px-4 py-10 has-[[data-wide]]:max-w-xl sm:py-20"
    >
      <p className="flex items-center gap-2 font-semibold">
        <Mark className="size-7" />
        {getEnvironment().SERVICE_NAME}
      </p>
      {children}
    </main>
  );
}
