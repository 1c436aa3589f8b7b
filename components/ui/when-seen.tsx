'use client';

import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import { Button } from './button';
import { cn } from './cn';

type Props = {
  /** What is loading, for screen readers. */
  label: string;
  /** Reads and renders the content, on the server. Called again when it changes, which it does with every refresh of the page. */
  load: () => Promise<ReactNode>;
  /** The height until it is loaded. */
  className: string;
  /** What follows, once this has its height: so nothing moves. */
  children?: ReactNode;
};

type Loaded = {
  /** What was called last; null if nothing was, or should be again. */
  by: Props['load'] | null;
  /** Undefined before the first. */
  content?: ReactNode;
};

/** Content below the fold, which most visits never see: loaded when it comes near the window. */
export function WhenSeen({ label, load, className, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>({ by: null });
  const [isLoading, startLoading] = useTransition();

  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  const isDue = isSeen && !isLoading && loaded.by !== load;
  useEffect(() => {
    if (!isDue) return;
    startLoading(async () => {
      // After a failure, what was loaded before stays.
      const content = await load().catch(() => undefined);
      startLoading(() =>
        setLoaded((before) => ({ by: load, content: content === undefined ? before.content : content })),
      );
    });
  }, [isDue, load]);

  if (loaded.content !== undefined) {
    return (
      <>
        {loaded.content}
        {children}
      </>
    );
  }
  if (loaded.by !== null && !isLoading) {
    return (
      <>
        <div
          role="alert"
          className="flex items-center gap-3 rounded-lg border border-line px-4 py-6 text-muted"
        >
          The service did not respond.
          <Button onClick={() => setLoaded({ by: null })}>Try again</Button>
        </div>
        {children}
      </>
    );
  }
  return (
    // A key, or the content takes over this element, with its animation: browsers count that as a layout shift.
    <div
      key="placeholder"
      ref={place}
      role="status"
      className={cn('animate-pulse rounded-lg border border-line bg-sunken', className)}
    >
      <span className="sr-only">Loading: {label}</span>
    </div>
  );
}
