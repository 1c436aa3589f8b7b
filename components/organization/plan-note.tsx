import type { ReactNode } from 'react';
import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';

/** A limit of the plan, and where to read who can change it. */
export function PlanNote({ children }: { children: ReactNode }) {
  return (
    <Banner tone="slow">
      {children} The operator of this service can change the plan:{' '}
      <TextLink href="/settings/plan">Plan and usage</TextLink>
    </Banner>
  );
}
