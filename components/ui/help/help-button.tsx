'use client';

import { lazy, Suspense, useId, useState } from 'react';
import { HELP_TOPICS, type HelpTopic } from '@/lib/schemas/help-topics';

const load = () => import('./help-panel').then(({ HelpPanel }) => ({ default: HelpPanel }));
const Panel = lazy(load);

/** A “?” that opens what a topic is about. Its panel is loaded when it is first needed. */
export function HelpButton({ topic }: { topic: HelpTopic }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="relative z-10 -my-2 -ml-1 inline-flex align-middle max-sm:-my-3 max-sm:-ml-2">
      <button
        type="button"
        id={id}
        aria-label={`Help: ${HELP_TOPICS[topic].title}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(!isOpen)}
        className="group inline-flex size-9 items-center justify-center rounded-full max-sm:size-11"
      >
        <span
          aria-hidden="true"
          className="inline-flex size-4 items-center justify-center rounded-full border border-line-strong text-[0.6875rem] leading-none font-medium text-muted group-hover:border-accent group-hover:text-accent group-aria-expanded:border-accent group-aria-expanded:text-accent"
        >
          ?
        </span>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <Panel topic={topic} buttonId={id} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}
