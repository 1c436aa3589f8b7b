import { useEffect, useState } from 'react';
import type { PageValues } from './page-values';

export type Scheme = 'light' | 'dark';

/** The drawn page, and what keeps a newer one from being drawn. */
export type Preview = { html: string | null; problem: string | null; isDrawing: boolean };

/** So long nobody types before the server is asked. */
const QUIET_MS = 250;
const RETRY_MS = 5000;
const SILENT = 'The service does not answer: the preview may be out of date. Trying again.';

/** Has the server draw what is in the form, whenever that changed. What was drawn last stays until then. */
export function usePreview(values: PageValues, scheme: Scheme): Preview {
  const [preview, setPreview] = useState<Preview>({ html: null, problem: null, isDrawing: true });
  const asked = JSON.stringify({ ...drawnOf(values), scheme });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer = setTimeout(draw, QUIET_MS);
    setPreview((before) => ({ ...before, isDrawing: true }));

    async function draw() {
      try {
        const answer = await ask(asked, signal);
        setPreview((before) => ({ html: before.html, isDrawing: false, problem: null, ...answer }));
      } catch {
        if (signal.aborted) return;
        setPreview((before) => ({ ...before, isDrawing: false, problem: SILENT }));
        timer = setTimeout(draw, RETRY_MS);
      }
    }
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [asked]);

  return preview;
}

async function ask(body: string, signal: AbortSignal): Promise<{ html: string } | { problem: string }> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch('/preview/status-page', { method: 'POST', headers, body, signal });
  if (response.ok) return { html: await response.text() };
  if (response.status >= 500) throw new Error('no preview');
  const problem = (await response.json()).error?.message;
  return { problem: typeof problem === 'string' ? problem : SILENT };
}

/** What of the form can be seen on the page. */
function drawnOf({ primaryColor, backgroundColor, textColor, slug, published, ...shown }: PageValues) {
  return { ...shown, theme: { primaryColor, backgroundColor, textColor } };
}
