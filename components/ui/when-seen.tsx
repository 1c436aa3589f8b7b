'use client';

import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import { Button } from './button';
import { cn } from './cn';

type Props<Args extends readonly unknown[]> = {
  /** What is loading, for screen readers. */
  label: string;
  /** Reads and renders the content, on the server. */
  load: (...args: Args) => Promise<ReactNode>;
  /**
   * What is loaded again when they are others, which they are with every refresh of the page. Not bound to `load`: React waits for what is
   * bound to an action before it renders anything around it.
   */
  args: Args;
  /** The height until it is loaded. */
  className: string;
  /** What follows, once this has its height: so nothing moves. */
  children?: ReactNode;
};

type Loaded = {
  /** What was loaded last; null if nothing was, or should be again. */
  args: readonly unknown[] | null;
  /** Undefined before the first. */
  content?: ReactNode;
};

/** Content below the fold, which most visits never see: loaded when it comes near the window. */
export function WhenSeen<Args extends readonly unknown[]>(props: Props<Args>) {
  const { label, load, args, className, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>({ args: null });
  const [isLoading, startLoading] = useTransition();

  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  const isDue = isSeen && !isLoading && loaded.args !== args;
  useEffect(() => {
    if (!isDue) return;
    startLoading(async () => {
      // After a failure, what was loaded before stays.
      const content = await load(...args).catch(() => undefined);
      startLoading(() =>
        setLoaded((before) => ({ args, content: content === undefined ? before.content : content })),
      );
    });
  }, [isDue, load, args]);

  if (loaded.content !== undefined) {
    return (
      <>
        {loaded.content}
        {children}
      </>
    );
  }
  if (loaded.args !== null && !isLoading) {
    return (
      <>
        <div
          role="alert"
          className="flex items-center gap-3 rounded-lg border border-line px-4 py-6 text-muted"
        >
          The service did not respond.
          <Button onClick={() => setLoaded({ args: null })}>Try again</Button>
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
