'use server';

import { redirect } from 'next/navigation';
import {
  createIncidentTemplate,
  deleteIncidentTemplate,
  updateIncidentTemplate,
} from '@/lib/domain/incidents/templates/change-templates';
import {
  createIncidentTemplateSchema,
  updateIncidentTemplateSchema,
} from '@/lib/schemas/incidents/incident-template';
import { parseInput } from '@/lib/schemas/validation';
import { actionOn, formAction, formActionOn } from '../../act';
import { readTemplateForm } from '../read-form';

const LIST = '/incidents/templates';

/** Creates a template as `POST /incident-templates` would, then returns to the list. */
export const createTemplateAction = formAction('incident-template.create', async (ctx, form) => {
  await createIncidentTemplate(ctx, parseInput(createIncidentTemplateSchema, readTemplateForm(form)));
  redirect(LIST);
});

/** Updates a template as `PUT /incident-templates/:id` would, then returns to the list. */
export const updateTemplateAction = formActionOn('incident-template.update', async (ctx, id, form) => {
  await updateIncidentTemplate(ctx, id, parseInput(updateIncidentTemplateSchema, readTemplateForm(form)));
  redirect(LIST);
});

export const deleteTemplateAction = actionOn('incident-template.delete', async (ctx, id) => {
  await deleteIncidentTemplate(ctx, id);
  redirect(LIST);
});
