'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { EVIDENCE_ID } from '../monitor-href';

/**
 * Where links to evidence lead. When other evidence is chosen, it scrolls there itself: Next forgets the hash of a link when a
 * refresh of the page ends while the link is loading.
 */
export function EvidencePlace({ chosen, children }: { chosen: string | undefined; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(chosen);
  useEffect(() => {
    if (chosen === shown.current) return;
    shown.current = chosen;
    if (chosen !== undefined) place.current?.scrollIntoView();
  }, [chosen]);
  return (
    <div ref={place} id={EVIDENCE_ID} className="scroll-mt-16">
      {children}
    </div>
  );
}
