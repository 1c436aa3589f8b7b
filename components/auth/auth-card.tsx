import type { ReactNode } from 'react';
import { Mark } from '@/components/shell/top-bar';
import { Banner } from '@/components/ui/banner';
import { ButtonLink } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

type Props = { serviceName: string; title: string; lead?: ReactNode; isWide?: boolean; children: ReactNode };

/** The frame of the pages outside the dashboard. */
export function AuthCard({ serviceName, title, lead, isWide = false, children }: Props) {
  return (
    <main
      id="content"
      className={cn('mx-auto flex w-full max-w-md flex-col gap-6 px-4 py-10 sm:py-20', isWide && 'max-w-xl')}
    >
      <p className="flex items-center gap-2 font-semibold">
        <Mark className="size-7" />
        {serviceName}
      </p>
      <div className="flex flex-col gap-1">
        <h1 className="text-xl font-semibold">{title}</h1>
        {lead ? <p className="text-muted">{lead}</p> : null}
      </div>
      {children}
    </main>
  );
}

/** Shown instead of a form: why the link is not valid, and where to request a new one. */
export function DeadLink({ reason, href, label }: { reason: string; href: string; label: string }) {
  return (
    <>
      <Banner tone="bad">{reason}</Banner>
      <ButtonLink size="large" href={href}>
        {label}
      </ButtonLink>
    </>
  );
}
