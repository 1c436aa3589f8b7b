import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Fold } from '@/components/ui/fold';
import { FieldNotes, INPUT } from '@/components/ui/forms/field';
import { LINK_PLACES, MAX_LINKS } from '@/lib/schemas/status-pages/brand-limits';
import { buttonId, OrderButtons, useRefocus } from '../order-parts';
import { moveItem } from '../page-values';
import { addLink, type EditedLink, sentLinks } from './brand-values';

const PLACE_LABELS: Record<EditedLink['place'], string> = { header: 'Header', footer: 'Footer' };
const ADD_ID = 'add-link';

type Props = {
  links: readonly EditedLink[];
  errors: Record<string, string>;
  change: (links: readonly EditedLink[]) => void;
};

/** The links of a page to other sites, in order. */
export function LinkFields({ links, errors, change }: Props) {
  const refocus = useRefocus(ADD_ID);
  const paths = Object.keys(errors).filter((path) => path === 'links' || path.startsWith('links.'));
  const add = () => {
    const added = addLink(links);
    refocus(`label-${added.at(-1)?.key ?? ''}`);
    change(added);
  };
  return (
    <Fold title="Links" hint={formatCount(links.length)} isOpen={paths.length > 0}>
      <input type="hidden" name="links" value={JSON.stringify(sentLinks(links))} />
      {links.length === 0 ? (
        <p className="text-sm text-muted">Link to your site, support, or privacy policy.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {links.map((link, index) => (
            <LinkRow
              key={link.key}
              link={link}
              errorOf={(field) => errors[`links.${index}.${field}`]}
              change={(changes) =>
                change(links.map((each) => (each === link ? { ...each, ...changes } : each)))
              }
            >
              <OrderButtons
                id={link.key}
                name={link.label || 'untitled link'}
                isFirst={index === 0}
                isLast={index === links.length - 1}
                step={(key, move) => {
                  refocus(buttonId(key, move));
                  change(moveItem(links, index, move === 'up' ? index - 1 : index + 1));
                }}
                remove={(key) => {
                  const next = links[index + 1] ?? links[index - 1];
                  refocus(next === undefined ? ADD_ID : buttonId(next.key, 'remove'));
                  change(links.filter((each) => each.key !== key));
                }}
              />
            </LinkRow>
          ))}
        </ul>
      )}
      <div>
        <Button id={ADD_ID} onClick={add} disabled={links.length >= MAX_LINKS}>
          Add link
        </Button>
      </div>
      <FieldNotes name="links" label="Links" error={errors.links} />
    </Fold>
  );
}

type RowProps = {
  link: EditedLink;
  errorOf: (field: 'label' | 'url') => string | undefined;
  change: (changes: Partial<EditedLink>) => void;
  children: ReactNode;
};

/** One link: its label, URL and place. `children` are its buttons. */
function LinkRow({ link, errorOf, change, children }: RowProps) {
  const { key, place } = link;
  const bind = (field: 'label' | 'url') => ({
    id: `${field}-${key}`,
    value: link[field],
    'aria-invalid': errorOf(field) ? true : undefined,
    'aria-describedby': errorOf(field) ? `${field}-${key}-error` : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => change({ [field]: target.value }),
  });
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <input
            {...bind('label')}
            aria-label="Label"
            placeholder="Support"
            maxLength={40}
            className={cn(INPUT, 'h-9')}
          />
        </div>
        <div className="w-24 shrink-0">
          <select
            aria-label={`Place of ${link.label || 'untitled link'}`}
            value={place}
            onChange={({ target }) =>
              change({ place: LINK_PLACES.find((each) => each === target.value) ?? place })
            }
            className={cn(INPUT, 'h-9')}
          >
            {LINK_PLACES.map((each) => (
              <option key={each} value={each}>
                {PLACE_LABELS[each]}
              </option>
            ))}
          </select>
        </div>
        {children}
      </div>
      <input
        {...bind('url')}
        aria-label="URL"
        placeholder="https://example.com/support or mailto:help@example.com"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={cn(INPUT, 'h-9 font-mono')}
      />
      <FieldNotes name={`label-${key}`} label="Label" error={errorOf('label')} />
      <FieldNotes name={`url-${key}`} label="URL" error={errorOf('url')} />
    </li>
  );
}

function formatCount(count: number): string {
  return count === 0 ? 'None' : count === 1 ? '1 link' : `${count} links`;
}
