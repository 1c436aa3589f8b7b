import type { Metadata } from 'next';
import { TemplateForm } from '@/components/incidents/template-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createTemplateAction } from '../actions';

export const metadata: Metadata = { title: 'New incident template' };

export default async function NewTemplatePage() {
  const { ctx } = await requireSession();
  const [monitors, pages] = await Promise.all([listMonitorNames(ctx), readAudiences(ctx)]);
  return (
    <FormPage
      back={{ href: '/incidents/templates', label: 'Incident templates' }}
      title="New incident template"
      mayWrite={permits(ctx, 'incident-template.create')}
    >
      <TemplateForm
        save={createTemplateAction}
        initial={{ severity: 'major', status: 'investigating' }}
        monitors={monitors}
        pages={pages}
        submitLabel="Create template"
      />
    </FormPage>
  );
}
