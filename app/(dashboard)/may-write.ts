import { type OrganizationContext, requireWrite } from '@/lib/context/organization-context';

/** Whether to offer what changes things; the verbs decide again. */
export function mayWrite(ctx: Pick<OrganizationContext, 'actor'>): boolean {
  try {
    requireWrite(ctx);
    return true;
  } catch {
    return false;
  }
}
