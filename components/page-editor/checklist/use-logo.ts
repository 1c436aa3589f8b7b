import { type RefObject, useEffect, useEffectEvent } from 'react';

const POLL_MS = 250;

/**
 * Reports whether the logo of a preview was loaded, once that is known; null if it has none. It is the visitors' own request, of this
 * browser. The frame runs no scripts, not even listeners in every browser, so its image is polled.
 */
export function useLogo(
  frame: RefObject<HTMLIFrameElement | null>,
  isShown: boolean,
  report: (isLoaded: boolean | null) => void,
): void {
  const reportLogo = useEffectEvent(report);
  useEffect(() => {
    if (!isShown) return;
    const timer = setInterval(() => {
      const logo = frame.current?.contentDocument?.querySelector<HTMLImageElement>('.logo img') ?? null;
      if (logo !== null && !logo.complete) return;
      clearInterval(timer);
      reportLogo(logo === null ? null : logo.naturalWidth > 0);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [frame, isShown]);
}
