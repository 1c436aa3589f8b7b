import type { ReactNode } from 'react';
import { Banner } from '@/components/ui/banner';
import { ButtonLink } from '@/components/ui/navigation/button-link';

type Props = { title: string; lead?: ReactNode; isWide?: boolean; children?: ReactNode };

/** The title and content of a page outside the dashboard. */
export function AuthCard({ title, lead, isWide = false, children }: Props) {
  return (
    <div className="flex flex-col gap-6" data-wide={isWide ? '' : undefined}>
      <div className="flex flex-col gap-1">
        <h1 className="text-xl font-semibold">{title}</h1>
        {lead ? <p className="text-muted">{lead}</p> : null}
      </div>
      {children}
    </div>
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
