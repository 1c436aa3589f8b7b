'use client';

import dynamic from 'next/dynamic';

/** `FirstMonitor`, whose scripts a list with monitors does not load. */
export const LazyFirstMonitor = dynamic(() =>
  import('./first-monitor').then((module) => module.FirstMonitor),
);
