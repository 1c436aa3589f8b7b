import { Menu } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Mark } from '@/components/shell/mark';
import { buttonLook } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { CODE_LOOK } from './code-panel';
import type { GuideSection } from './guide';
import type { Verb } from './openapi';
import { PageBehavior } from './page-behavior';
import type { OperationView, Reference } from './reference';
import { SearchBox } from './search-box';

/** The parts of the documentation. */
const PARTS = [
  { href: '/docs/guide', label: 'Guide' },
  { href: '/docs', label: 'API reference' },
] as const;

type Props = {
  serviceName: string;
  isSignedIn: boolean;
  /** The part that is shown. */
  current: (typeof PARTS)[number]['href'];
  contents: ContentsTopic[];
  children: ReactNode;
};

/** The frame of every page of the documentation: header with search, table of contents, and the page. */
export function DocsShell({ serviceName, isSignedIn, current, contents, children }: Props) {
  return (
    <>
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[100rem] items-center gap-3 px-4 sm:px-6">
          <Link
            prefetch={false}
            href={current}
            className="touch flex shrink-0 items-center gap-2 font-semibold"
          >
            <Mark className="size-6" />
            <span className="max-sm:sr-only">{serviceName} docs</span>
          </Link>
          <button
            type="button"
            popoverTarget="contents"
            aria-label="Contents"
            className={`${buttonLook()} lg:hidden`}
          >
            <Menu />
          </button>
          <div className="flex min-w-0 flex-1 justify-end lg:justify-center">
            <SearchBox />
          </div>
          <a href="/api/openapi.json" className={`${buttonLook({ tone: 'bare' })} max-sm:hidden`}>
            OpenAPI
          </a>
          <Link
            prefetch={false}
            href={isSignedIn ? '/monitors' : '/sign-in'}
            className={buttonLook({ tone: 'quiet' })}
          >
            {isSignedIn ? 'Monitors' : 'Sign in'}
          </Link>
        </div>
      </header>
      <div className="mx-auto max-w-[100rem] px-4 sm:px-6 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-x-8">
        <Contents current={current} topics={contents} />
        <main id="content" className={`min-w-0 pb-24 ${CODE_LOOK}`}>
          {children}
        </main>
      </div>
      <PageBehavior />
    </>
  );
}

/** Styles of all links. In a narrow window, a popover that opens without JavaScript; otherwise a column. */
const CONTENTS_LOOK = cn(
  'overflow-y-auto bg-surface py-4 text-ink max-lg:fixed max-lg:inset-x-3 max-lg:top-16 max-lg:m-0 max-lg:h-fit max-lg:max-h-[80dvh] max-lg:w-auto max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:px-2 max-lg:shadow-lg',
  'lg:sticky lg:inset-auto lg:top-14 lg:m-0 lg:block lg:h-[calc(100dvh-3.5rem)] lg:w-auto lg:border-0 lg:border-r lg:border-line lg:bg-transparent lg:pr-2 lg:pl-0',
  '[&_h2]:px-2 [&_h2]:pt-3 [&_h2]:pb-1 [&_h2]:text-xs [&_h2]:font-semibold',
  'max-sm:[&_a]:min-h-11 max-sm:[&_a]:content-center max-sm:[&_h2_a]:block [&_li_a]:flex [&_li_a]:items-baseline max-sm:[&_li_a]:items-center [&_li_a]:gap-2 [&_li_a]:rounded [&_li_a]:px-2 [&_li_a]:py-1 [&_li_a]:text-[0.8125rem] [&_li_a]:text-muted [&_li_a]:wrap-anywhere',
  '[&_li_a:hover]:bg-sunken [&_li_a:hover]:text-ink [&_li_a[aria-current]]:bg-sunken [&_li_a[aria-current]]:text-ink',
  '[&_code]:min-w-0 [&_code]:font-mono [&_code]:text-xs [&_b]:w-11 [&_b]:shrink-0 [&_b]:font-mono [&_b]:text-[0.6875rem] [&_b]:font-semibold [&_b]:uppercase',
);

export type ContentsTopic = { title: string; href: string; links: TopicLink[] };

/** Links to the parts of the documentation, and to everything in this one, by topic. */
function Contents({ current, topics }: { current: Props['current']; topics: ContentsTopic[] }) {
  return (
    <nav id="contents" popover="auto" aria-label="Contents" className={CONTENTS_LOOK}>
      <ul>
        {PARTS.map(({ href, label }) => (
          <li key={href}>
            <a href={href} aria-current={href === current ? 'true' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      {topics.map((topic) => (
        <Topic key={topic.href} {...topic} />
      ))}
    </nav>
  );
}

/** What the API reference contains, by topic. */
export function referenceContents(guides: readonly GuideSection[], reference: Reference): ContentsTopic[] {
  const sectionsOf = (page: string) =>
    guides
      .filter((section) => section.page === page)
      .map(({ id, title }) => ({ href: `${page}#${id}`, name: title }));
  return [
    { title: 'Guides', href: '/docs', links: sectionsOf('/docs') },
    { title: 'Heartbeats', href: '/docs/heartbeats', links: sectionsOf('/docs/heartbeats') },
    ...reference.groups.map(({ name, title, operations }) => {
      const href = `/docs/${name}`;
      return { title, href, links: [...sectionsOf(href), ...operations] };
    }),
    { title: 'Events', href: '/docs/events', links: reference.events },
    { title: 'Objects', href: '/docs/objects', links: reference.objects },
  ];
}

/** A link to an operation shows method and path. */
type TopicLink = { href: string; name: string } | Pick<OperationView, 'href' | 'method' | 'path'>;

function Topic({ title, href, links }: ContentsTopic) {
  return (
    <>
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href}>
              {'method' in link ? <b className={COLORS[link.method]}>{link.method}</b> : null}
              {'method' in link ? <code>{link.path}</code> : link.name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const COLORS: Record<Verb, string> = {
  get: 'text-good',
  post: 'text-accent',
  put: 'text-slow',
  patch: 'text-slow',
  delete: 'text-bad',
};

/** The method of an operation, in its color. */
export function MethodLabel({ method }: { method: Verb }) {
  return <b className={`font-mono text-[0.6875rem] font-semibold uppercase ${COLORS[method]}`}>{method}</b>;
}
