import { readChosen } from '@/components/ui/form-state';
import { DomainError } from '@/lib/core/errors';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-page';

/** The sent form as a body of `POST /status-pages`, still to be parsed: the schema refuses what is wrong. */
export function readPageForm(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    name: text('name'),
    slug: text('slug'),
    // A form sends line breaks as CR LF, whatever was typed.
    description: text('description').replaceAll('\r\n', '\n') || null,
    logoUrl: text('logoUrl') || null,
    theme: {
      primaryColor: text('primaryColor'),
      backgroundColor: text('backgroundColor'),
      textColor: text('textColor'),
    },
    monitors: readChosen(form, 'monitors', MAX_PAGE_MONITORS),
    showResponseTimes: form.has('showResponseTimes'),
    published: form.has('published'),
  };
}

/** A refusal whose details name the fields of the form: it has no `theme`, but three colours. */
export function atFormFields(error: DomainError): DomainError {
  const details = error.details?.map((detail) => ({ ...detail, path: detail.path.replace(/^theme\./, '') }));
  return new DomainError(error.code, error.message, details);
}
