import { useEffect, useState } from 'react';
import type { PagePreview } from '@/lib/schemas/page-preview';
import type { PageValues } from './page-values';

export type Scheme = PagePreview['scheme'];

/** The page as HTML, or what went wrong. */
export type Drawn = { html: string; problem: null } | { html: null; problem: string };

/** Draws a page that is not saved. */
export type DrawPage = (unsaved: PagePreview) => Promise<Drawn>;

/** So long nobody types before the server is asked. */
const QUIET_MS = 250;
const RETRY_MS = 5000;
const SILENT = 'The service does not answer: the preview may be out of date. Trying again.';

/** Has the server draw what is in the form, whenever that changed. What was drawn last stays until then. */
export function usePreview(
  draw: DrawPage,
  values: PageValues,
  scheme: Scheme,
): { html: string | null; problem: string | null } {
  const [html, setHtml] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = JSON.stringify(previewOf(values, scheme));

  useEffect(() => {
    let isStale = false;
    const run = async () => {
      const drawn = await draw(JSON.parse(asked)).catch(() => null);
      if (isStale) return;
      setProblem(drawn === null ? SILENT : drawn.problem);
      if (drawn?.html) setHtml(drawn.html);
      if (drawn === null) timer = setTimeout(run, RETRY_MS);
    };
    let timer = setTimeout(run, QUIET_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [draw, asked]);

  return { html, problem };
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
