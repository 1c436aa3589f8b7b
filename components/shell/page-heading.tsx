import { ChevronLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Banner } from '@/components/ui/banner';

/** The parent page. */
type Back = { href: string; label: string };

type HeadingProps = {
  back: Back;
  title: ReactNode;
  /** An identifier below the title, such as a URL. */
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** The status of the thing: below its title, and in a narrow window above the actions. */
  children?: ReactNode;
};

/** The head of a page about one thing, with a link to its parent page. */
export function PageHeading({ back, title, subtitle, actions, children }: HeadingProps) {
  return (
    <div className="flex flex-col gap-2">
      <Link
        prefetch={false}
        href={back.href}
        className="touch flex max-w-full items-center gap-1 self-start max-sm:-mt-4 max-sm:-mb-2 text-sm text-muted hover:text-ink"
      >
        <ChevronLeft className="size-4 shrink-0" />
        <span className="truncate">{back.label}</span>
      </Link>
      <div className="grid gap-x-3 gap-y-2 md:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <h1 className="text-lg font-semibold wrap-anywhere">{title}</h1>
          {subtitle ? <p className="font-mono text-xs break-all text-muted">{subtitle}</p> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-2 empty:hidden md:col-span-2 md:row-start-2">
          {children}
        </div>
        <div className="empty:hidden max-md:pt-1 md:col-start-2 md:row-start-1">{actions}</div>
      </div>
    </div>
  );
}

type FormPageProps = { back: Back; title: string; isWide?: boolean; mayWrite: boolean; children: ReactNode };

/** A page with one form; viewers see a note instead. */
export function FormPage({ back, title, isWide = false, mayWrite, children }: FormPageProps) {
  return (
    <div className={`flex flex-col gap-5 ${isWide ? '' : 'mx-auto max-w-2xl'}`}>
      <PageHeading back={back} title={title} />
      {mayWrite ? (
        children
      ) : (
        <Banner tone="note">
          Your role is viewer, which is read-only. Ask an admin to change your role.
        </Banner>
      )}
    </div>
  );
}
