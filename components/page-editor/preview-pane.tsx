'use client';

import { type LucideIcon, Monitor, Moon, Smartphone, Sun } from 'lucide-react';
import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import type { PagePreview, PagePreviewInput } from '@/lib/schemas/status-pages/page-preview';
import { sentAnnouncement, sentLinks } from './brand/brand-values';
import { useLogo } from './checklist/use-logo';
import type { PageValues } from './page-values';

type Scheme = PagePreview['scheme'];

/** One rendering of the preview; `request` is the page as JSON. */
type Version = { number: number; request: string };

/** Debounce before the server is queried. */
const DEBOUNCE_MS = 250;
const RETRY_MS = 5000;

const WIDTHS = { desktop: 1120, phone: 390 } as const;
const DEVICES = [
  { value: 'desktop', label: 'Desktop', Icon: Monitor },
  { value: 'phone', label: 'Phone', Icon: Smartphone },
] as const;
const SCHEMES = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const;

const ignore = () => {};

/** Lets keyboard users scroll the preview: nothing inside takes the focus. */
const FOCUSABLE = { tabIndex: 0 };

type Props = {
  values: PageValues;
  className?: string;
  /** Makes it a popover with this ID, with a button that closes it in a narrow window. */
  popoverId?: string;
  /** Whether the logo was loaded; null without one. */
  reportLogo?: (isLoaded: boolean | null) => void;
};

/** A live preview of the form as visitors would see it. */
export function PreviewPane({ values, className, popoverId, reportLogo = ignore }: Props) {
  const [device, setDevice] = useState<keyof typeof WIDTHS>('desktop');
  const [scheme, setScheme] = useState<Scheme>('light');
  const { versions, shown, hasFailed, settle } = usePreview(values, scheme);
  const box = useRef<HTMLElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // On phones, a desktop preview would be too small to read.
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
    <section
      id={popoverId}
      popover={popoverId ? 'auto' : undefined}
      aria-labelledby="preview-title"
      className={className}
    >
      <PreviewHeading popoverId={popoverId}>
        {values.appearance === 'automatic' ? (
          <Segments label="Visitor’s color scheme" choices={SCHEMES} value={scheme} choose={setScheme} />
        ) : (
          <span className="text-xs text-muted">Always {values.appearance}</span>
        )}
        <Segments label="Width" choices={DEVICES} value={device} choose={setDevice} />
      </PreviewHeading>
      <div role="status" className="pb-2 empty:hidden">
        {hasFailed ? (
          <Banner tone="slow">The preview could not be updated and may be out of date. Retrying…</Banner>
        ) : null}
      </div>
      <section
        ref={box}
        {...FOCUSABLE}
        aria-label="Scrollable preview"
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto rounded-lg border border-line bg-sunken"
      >
        {scale > 0
          ? versions.map((version) => (
              <PreviewFrame
                key={version.number}
                request={version.request}
                isShown={version.number === shown?.number}
                width={width}
                minHeight={size.height / scale}
                scale={scale}
                settle={(isRendered) => settle(version, isRendered)}
                reportLogo={reportLogo}
              />
            ))
          : null}
        {shown === null ? <PreviewSkeleton /> : null}
      </section>
    </section>
  );
}

function PreviewHeading({ popoverId, children }: Pick<Props, 'popoverId'> & { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2">
      <h2 id="preview-title" className="mr-auto text-sm font-semibold">
        Preview
      </h2>
      {children}
      {popoverId ? (
        <button
          type="button"
          popoverTarget={popoverId}
          popoverTargetAction="hide"
          className={cn(buttonLook(), 'lg:hidden')}
        >
          Close
        </button>
      ) : null}
    </div>
  );
}

function PreviewSkeleton() {
  return (
    <div className="flex h-full animate-pulse flex-col gap-4 p-6" aria-hidden="true">
      <div className="h-6 w-40 rounded bg-line" />
      <div className="h-16 rounded bg-line" />
      <div className="h-40 rounded bg-line" />
    </div>
  );
}

type SegmentsProps<T extends string> = {
  label: string;
  choices: readonly { value: T; label: string; Icon: LucideIcon }[];
  value: T;
  choose: (value: T) => void;
};

/** A segmented control. */
function Segments<T extends string>({ label, choices, value, choose }: SegmentsProps<T>) {
  return (
    <fieldset className="flex rounded-md border border-line bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value: own, label: text, Icon }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          onClick={() => choose(own)}
          className="flex h-6.5 items-center gap-1 rounded px-2 text-xs text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
        >
          <Icon className="size-3.5" aria-hidden="true" />
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * The previews to render: the one shown, and a newer one loading behind it. `settle` reports whether a version was rendered;
 * failed ones are retried.
 */
function usePreview(values: PageValues, scheme: Scheme) {
  const request = JSON.stringify(previewOf(values, scheme));
  const [newest, setNewest] = useState<Version>({ number: 0, request });
  const [shown, setShown] = useState<Version | null>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    if (request === newest.request) return;
    const timer = setTimeout(() => setNewest({ number: newest.number + 1, request }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [request, newest]);

  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(() => setNewest({ ...newest, number: newest.number + 1 }), RETRY_MS);
    return () => clearTimeout(timer);
  }, [hasFailed, newest]);

  return {
    versions: shown === null || shown.number === newest.number ? [newest] : [shown, newest],
    shown,
    hasFailed,
    settle: (version: Version, isRendered: boolean) => {
      if (isRendered) setShown(version);
      setFailed(!isRendered);
    },
  };
}

/** The fields of the form that are visible on the page. */
function previewOf(values: PageValues, scheme: Scheme): PagePreviewInput {
  const {
    slug: _,
    published: __,
    noindex: ___,
    links,
    announcement,
    primaryColor,
    backgroundColor,
    textColor,
    sections,
    ...page
  } = values;
  const theme = { primaryColor, backgroundColor, textColor };
  const unsaved = sections.map(({ name, description, collapsed, rows }) => ({
    name,
    description,
    collapsed,
    items: rows.map((row) => ({
      monitorId: row.monitorId,
      componentId: row.componentId,
      name: row.name,
      description: row.description,
    })),
  }));
  return {
    ...page,
    scheme,
    theme,
    monitors: [...page.monitors],
    sections: unsaved,
    links: sentLinks(links),
    announcement: sentAnnouncement(announcement),
  };
}

type PreviewFrameProps = {
  /** The page as JSON. */
  request: string;
  isShown: boolean;
  /** Viewport size of the page in CSS pixels. */
  width: number;
  minHeight: number;
  /** Display scale, at most 1. */
  scale: number;
  /** Called once with whether the page was rendered. */
  settle: (isRendered: boolean) => void;
  reportLogo: (isLoaded: boolean | null) => void;
};

/**
 * An inert preview of one page at its full height. A form posts the page into the frame, so that it has its own response
 * headers.
 */
function PreviewFrame(props: PreviewFrameProps) {
  const { request, isShown, width, minHeight, scale, settle, reportLogo } = props;
  const name = `preview${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [contentHeight, setContentHeight] = useState(0);
  const height = Math.max(contentHeight, minHeight);

  useEffect(() => form.current?.submit(), []);
  useLogo(frame, isShown, reportLogo);

  // After every render: the height depends on the width.
  useLayoutEffect(() => {
    if (isShown) setContentHeight(frame.current?.contentDocument?.documentElement.offsetHeight ?? 0);
  });

  const onLoad = ({ currentTarget: { contentDocument } }: SyntheticEvent<HTMLIFrameElement>) => {
    if (contentDocument?.URL === 'about:blank') return;
    // Error responses and the browser's own error page lack this element.
    const isRendered = contentDocument?.getElementById('main') != null;
    if (contentDocument && isRendered) contentDocument.body.inert = true;
    settle(isRendered);
  };

  return (
    <div
      className={isShown ? 'relative mx-auto overflow-hidden' : 'invisible absolute'}
      style={{ width: width * scale, height: height * scale }}
    >
      <form ref={form} method="post" action="/preview/status-page" target={name} hidden>
        <input type="hidden" name="page" value={request} />
      </form>
      <iframe
        ref={frame}
        name={name}
        title="Page preview"
        // Same origin, so that it can be measured; harmless without scripts.
        sandbox="allow-same-origin"
        onLoad={onLoad}
        aria-hidden={!isShown}
        className="absolute top-0 left-0 origin-top-left border-0"
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  );
}
