import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { VISIBILITIES, type Visibility } from '@/lib/schemas/status-pages/visibility';
import { PublishFields } from './publish-fields';

const render = (visibility: Visibility) =>
  renderToStaticMarkup(
    <PublishFields
      values={{ published: true, noindex: false }}
      errors={{}}
      findings={[]}
      path={null}
      change={() => undefined}
      visibility={visibility}
    />,
  );

it.each(VISIBILITIES)('hints promise everyone access only to public pages: %s', (visibility) => {
  const isPublic = visibility === 'public';
  const html = render(visibility);
  expect(html.includes('Anyone with the link')).toBe(isPublic);
  expect(html.includes('Only visitors with access can see the page.')).toBe(!isPublic);
  expect(html.includes('Search engines can’t see private pages.')).toBe(!isPublic);
});
