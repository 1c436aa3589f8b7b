'use client';

import { useEffect, useState } from 'react';
import { toggleExactTimes } from '@/components/ui/time/moment';
import { useShortcuts } from './shortcuts/use-shortcuts';

type Tip = { text: string; left: number; bottom: number };

const SHOWN_MS = 4000;

/** The shortcut for exact times, and a tooltip with the exact time for touch screens, which cannot hover. */
export function ExactTimes() {
  const [tip, setTip] = useState<Tip | null>(null);
  useShortcuts({ t: { label: 'Toggle exact times', run: toggleExactTimes } }, 'Everywhere');

  useEffect(() => {
    const show = ({ pointerType, target }: PointerEvent) => {
      const time = target instanceof Element ? target.closest<HTMLElement>('time[title]') : null;
      setTip(pointerType === 'touch' && time ? tipFor(time) : null);
    };
    document.addEventListener('pointerup', show);
    return () => document.removeEventListener('pointerup', show);
  }, []);

  useEffect(() => {
    if (tip === null) return;
    const hide = () => setTip(null);
    const timer = setTimeout(hide, SHOWN_MS);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, [tip]);

  return (
    <div role="status">
      {tip === null ? null : (
        <p
          style={{ left: tip.left, bottom: tip.bottom }}
          className="fixed z-50 max-w-[calc(100vw-1rem)] -translate-x-1/2 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-lg"
        >
          {tip.text}
        </p>
      )}
    </div>
  );
}

/** Half the width of the longest tooltip, to keep it inside the window. */
const HALF_PX = 110;

function tipFor(time: HTMLElement): Tip {
  const { left, width, top } = time.getBoundingClientRect();
  const middle = left + width / 2;
  return {
    text: time.title,
    left: Math.min(Math.max(middle, HALF_PX), Math.max(HALF_PX, window.innerWidth - HALF_PX)),
    bottom: window.innerHeight - top + 6,
  };
}
