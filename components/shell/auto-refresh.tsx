'use client';

import { useRouter } from 'next/navigation';
import { startTransition, useEffect } from 'react';

const EVERY_MS = 3000;

/** Keeps the page's data fresh while someone looks at it. */
export function AutoRefresh() {
  const router = useRouter();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) startTransition(() => router.refresh());
    };
    const timer = setInterval(refresh, EVERY_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [router]);
  return null;
}
