import { readChosen } from '@/components/ui/form-state';

/** A text of the form; a form sends line breaks as CR LF, whatever was typed. */
function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '').replaceAll('\r\n', '\n');
}

/** The sent form as a body of `PUT /incidents/:id`, still to be parsed: the schema refuses what is wrong. */
export function readIncidentForm(form: FormData): Record<string, unknown> {
  return {
    title: textOf(form, 'title'),
    severity: textOf(form, 'severity'),
    affectedMonitors: readChosen(form, 'affectedMonitors', 1000),
  };
}

/** The same for `POST /incidents`, with how it begins. */
export function readNewIncidentForm(form: FormData): Record<string, unknown> {
  const begins = { status: textOf(form, 'status'), description: textOf(form, 'description') };
  return { ...readIncidentForm(form), ...begins };
}

/** The body of `POST /incidents/:id/updates`. */
export function readUpdateForm(form: FormData): Record<string, unknown> {
  return { message: textOf(form, 'message'), status: textOf(form, 'status') };
}

/** The postmortem for `PUT /incidents/:id`. A box that is not ticked sends nothing. */
export function readPostmortemForm(form: FormData): Record<string, unknown> {
  return {
    postmortem: textOf(form, 'postmortem'),
    postmortemPublished: form.get('postmortemPublished') !== null,
  };
}
