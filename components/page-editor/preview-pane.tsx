'use client';

import { Monitor, Moon, Smartphone, Sun } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import { isDarkForAll } from './judge-theme';
import type { PageValues } from './page-values';
import { PreviewFrame } from './preview-frame';
import { Segments } from './segments';
import { type Scheme, usePreview } from './use-preview';

const WIDTHS = { desktop: 1120, phone: 390 } as const;
type Device = keyof typeof WIDTHS;

const DEVICES = [
  { value: 'desktop', label: 'Desktop', Icon: Monitor },
  { value: 'phone', label: 'Phone', Icon: Smartphone },
] as const;
const SCHEMES = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const;

/** Who scrolls by keyboard has to get there: nothing in the picture takes the focus. */
const REACHABLE = { tabIndex: 0 };

type Props = { values: PageValues; className?: string };

/** What visitors would see of what is in the form now. */
export function PreviewPane({ values, className }: Props) {
  const [device, setDevice] = useState<Device>('desktop');
  const [scheme, setScheme] = useState<Scheme>('light');
  const { versions, seen, hasFailed, settle } = usePreview(values, scheme);
  const box = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // On a phone the picture of a desktop would be too small to read.
    if (current.clientWidth < WIDTHS.phone) setDevice('phone');
    const observer = new ResizeObserver(() =>
      setSize({ width: current.clientWidth, height: current.clientHeight }),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const width = WIDTHS[device];
  const scale = Math.min(1, size.width / width);
  return (
    <section aria-labelledby="preview-title" className={className}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2">
        <h2 id="preview-title" className="mr-auto text-sm font-semibold">
          Preview
        </h2>
        {isDarkForAll(values) ? (
          <span className="text-xs text-muted">Dark for everybody, as its background is</span>
        ) : (
          <Segments label="Colours of the visitor" choices={SCHEMES} value={scheme} choose={setScheme} />
        )}
        <Segments label="Width" choices={DEVICES} value={device} choose={setDevice} />
      </div>
      <div role="status" className="pb-2 empty:hidden">
        {hasFailed ? (
          <Banner tone="slow">
            The page could not be drawn: the preview may be out of date. Trying again.
          </Banner>
        ) : null}
      </div>
      <section
        ref={box}
        {...REACHABLE}
        aria-label="The page, to scroll"
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto rounded-lg border border-line bg-sunken"
      >
        {scale > 0
          ? versions.map((version) => (
              <PreviewFrame
                key={version.number}
                asked={version.asked}
                isSeen={version.number === seen?.number}
                width={width}
                leastHeight={size.height / scale}
                scale={scale}
                settle={(isDrawn) => settle(version, isDrawn)}
              />
            ))
          : null}
        {seen === null ? (
          <div className="flex h-full animate-pulse flex-col gap-4 p-6" aria-hidden="true">
            <div className="h-6 w-40 rounded bg-line" />
            <div className="h-16 rounded bg-line" />
            <div className="h-40 rounded bg-line" />
          </div>
        ) : null}
      </section>
    </section>
  );
}
