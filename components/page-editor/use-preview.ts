import { useEffect, useState } from 'react';
import type { PagePreview } from '@/lib/schemas/page-preview';
import type { PageValues } from './page-values';

export type Scheme = PagePreview['scheme'];

/** A try to have a page drawn; `asked` is the page as JSON. */
export type Version = { number: number; asked: string };

/** So long nobody types before the server is asked. */
const QUIET_MS = 250;
const RETRY_MS = 5000;

/**
 * Which pages are to be drawn for what is in the form: the one that is seen, and a newer one behind it while that is on its
 * way. Whoever draws them tells what came of each; what could not be drawn is tried again.
 */
export function usePreview(values: PageValues, scheme: Scheme) {
  const asked = JSON.stringify(previewOf(values, scheme));
  const [newest, setNewest] = useState<Version>({ number: 0, asked });
  const [seen, setSeen] = useState<Version | null>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (asked === newest.asked) return;
    const timer = setTimeout(() => setNewest({ number: newest.number + 1, asked }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [asked, newest]);

  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(() => setNewest({ ...newest, number: newest.number + 1 }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [hasFailed, newest]);

  return {
    versions: seen === null || seen.number === newest.number ? [newest] : [seen, newest],
    seen,
    hasFailed,
    settle: (version: Version, isDrawn: boolean) => {
      if (isDrawn) setSeen(version);
      setFailed(!isDrawn);
    },
  };
}

/** What of the form can be seen on the page. */
function previewOf(values: PageValues, scheme: Scheme): PagePreview {
  const { name, description, logoUrl, monitors, showResponseTimes } = values;
  const { primaryColor, backgroundColor, textColor } = values;
  return {
    ...{ name, description, logoUrl, showResponseTimes, scheme },
    theme: { primaryColor, backgroundColor, textColor },
    monitors: [...monitors],
  };
}
