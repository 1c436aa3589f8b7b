'use client';

import { type LucideIcon, Monitor, Moon, Smartphone, Sun } from 'lucide-react';
import { type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Banner } from '@/components/ui/banner';
import type { PagePreview } from '@/lib/schemas/page-preview';
import type { PageValues } from './page-values';
import { isDarkForAll } from './page-values';

type Scheme = PagePreview['scheme'];

/** A try to have a page drawn; `asked` is the page as JSON. */
type Version = { number: number; asked: string };

/** So long nobody types before the server is asked. */
const QUIET_MS = 250;

const RETRY_MS = 5000;

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

type Choice<T extends string> = { value: T; label: string; Icon: LucideIcon };

type SegmentsProps<T extends string> = {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  choose: (value: T) => void;
};

/** One of a few, side by side. */
function Segments<T extends string>({ label, choices, value, choose }: SegmentsProps<T>) {
  return (
    <fieldset className="flex rounded-md border border-line bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value: own, label: says, Icon }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          onClick={() => choose(own)}
          className="flex h-6.5 items-center gap-1 rounded px-2 text-xs text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
        >
          <Icon className="size-3.5" aria-hidden="true" />
          {says}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Which pages are to be drawn for what is in the form: the one that is seen, and a newer one behind it while that is on its
 * way. Whoever draws them tells what came of each; what could not be drawn is tried again.
 */
function usePreview(values: PageValues, scheme: Scheme) {
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

type PreviewFrameProps = {
  /** The page to draw, as JSON. */
  asked: string;
  isSeen: boolean;
  /** The window of the page that is shown, in its own pixels. */
  width: number;
  leastHeight: number;
  /** How much smaller it is shown. */
  scale: number;
  /** Told once whether the page could be drawn. */
  settle: (isDrawn: boolean) => void;
};

/**
 * A picture of one page, as tall as the page is; nothing in it runs or can be pressed. The page is sent into the frame by a
 * form, so that it comes with headers of its own.
 */
function PreviewFrame({ asked, isSeen, width, leastHeight, scale, settle }: PreviewFrameProps) {
  const name = `preview${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [contentHeight, setContentHeight] = useState(0);
  const height = Math.max(contentHeight, leastHeight);

  useEffect(() => form.current?.submit(), []);

  // After every drawing: the page has another height at another width.
  useLayoutEffect(() => {
    if (isSeen) setContentHeight(frame.current?.contentDocument?.documentElement.offsetHeight ?? 0);
  });

  const look = ({ currentTarget: { contentDocument } }: SyntheticEvent<HTMLIFrameElement>) => {
    if (contentDocument?.URL === 'about:blank') return;
    // Neither a refusal nor the browser's own page for a service that is silent has it.
    const isDrawn = contentDocument?.getElementById('main') != null;
    if (contentDocument && isDrawn) contentDocument.body.inert = true;
    settle(isDrawn);
  };

  return (
    <div
      className={isSeen ? 'relative mx-auto overflow-hidden' : 'invisible absolute'}
      style={{ width: width * scale, height: height * scale }}
    >
      <form ref={form} method="post" action="/preview/status-page" target={name} hidden>
        <input type="hidden" name="page" value={asked} />
      </form>
      <iframe
        ref={frame}
        name={name}
        title="The page as visitors would see it"
        // Its own origin is ours, for it to be measured; without scripts that gives it nothing.
        sandbox="allow-same-origin"
        onLoad={look}
        aria-hidden={!isSeen}
        className="absolute top-0 left-0 origin-top-left border-0"
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  );
}
