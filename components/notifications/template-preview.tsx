'use client';

import { type MouseEvent, useState } from 'react';
import type { ActionResult } from '@/components/ui/action-result';
import { Button } from '@/components/ui/button';

/** What a template writes for a sample of an event, or why it fails. */
export type TemplateSample = { event: string; text: string | null; problem: string | null };
export type PreviewTemplate = (template: string) => Promise<ActionResult<TemplateSample[]>>;

/** Shows what the template of the form writes for a sample of each event. */
export function TemplatePreview({ preview }: { preview: PreviewTemplate }) {
  const [shown, setShown] = useState<ActionResult<TemplateSample[]> | null>(null);
  const run = async ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form) setShown(await preview(String(new FormData(form).get('template') ?? '')));
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Button type="button" onClick={run} className="self-start">
        Preview
      </Button>
      <div aria-live="polite" className="flex min-w-0 flex-col gap-3">
        {shown?.problem ? <p className="text-sm text-bad">{shown.problem}</p> : null}
        {shown?.value?.map(({ event, text, problem }) => (
          <figure key={event} className="min-w-0">
            <figcaption className="font-mono text-xs text-muted">{event}</figcaption>
            {problem === null ? (
              <pre className="rounded-md border border-line bg-surface p-2 text-xs wrap-anywhere whitespace-pre-wrap">
                {text}
              </pre>
            ) : (
              <p className="text-sm text-bad">{`The template ${problem}.`}</p>
            )}
          </figure>
        ))}
      </div>
    </div>
  );
}
