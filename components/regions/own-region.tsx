'use client';

import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { CredentialList } from '@/components/ui/credential-list';
import { FormDialogButton } from '@/components/ui/dialogs/form-dialog-button';
import { EmptyNote } from '@/components/ui/section';
import type { Region } from '@/lib/schemas/monitor/region';
import type { Probe } from '@/lib/schemas/probes/probe';
import type { ProbeToken } from '@/lib/schemas/probes/probe-token';
import { PROBE_TOKEN_WORDS, REGION_DELETION } from './consequences';
import { ProbeTable } from './probe-table';
import { RegionForm, type RegionFormState } from './region-form';
import { RegionState } from './region-state';
import { formatMonitors } from './region-texts';
import { NewProbeToken, type ShownToken } from './shown-token';
import { TokenForm, type TokenFormState } from './token-form';

/** What admins do with own regions. */
export type RegionActions = TokenActions & {
  update: (region: string, state: RegionFormState, form: FormData) => Promise<RegionFormState>;
  remove: (region: string) => Promise<ActionProblem>;
  createToken: (region: string, state: TokenFormState, form: FormData) => Promise<TokenFormState>;
};

type Props = {
  region: Region;
  monitors: number;
  probes: readonly Probe[];
  tokens: readonly ProbeToken[];
  places: readonly string[];
  serviceVersion: string;
  now: string;
  /** Without it, it is read-only. */
  actions?: RegionActions | undefined;
};

/** An own region with its probes and tokens. */
export function OwnRegion({ region, monitors, probes, tokens, places, serviceVersion, now, actions }: Props) {
  const { id, name, location } = region;
  const heading = `region-${id}`;
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="mr-auto min-w-0">
          <h3 id={heading} className="font-semibold wrap-anywhere">
            {name} <span className="font-mono text-xs font-normal text-muted">{id}</span>
          </h3>
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            <RegionState region={region} now={now} />
            <span>{location}</span>
            <span>{formatMonitors(monitors)}</span>
          </p>
        </div>
        {actions ? (
          <div className="flex flex-wrap gap-2">
            <FormDialogButton
              text="New token"
              aria-label={`New token for ${name}`}
              title={`New token for “${name}”`}
            >
              {({ keep }) => <TokenForm create={actions.createToken.bind(null, id)} onCreated={keep} />}
            </FormDialogButton>
            <FormDialogButton text="Edit" aria-label={`Edit ${name}`} title={`Edit “${name}”`}>
              {({ close }) => (
                <RegionForm
                  values={{ name, place: location }}
                  places={places}
                  button="Save"
                  save={actions.update.bind(null, id)}
                  onSaved={close}
                />
              )}
            </FormDialogButton>
            <ConfirmButton
              label={`Delete ${name}`}
              title={`Delete “${name}”?`}
              description={REGION_DELETION}
              confirm="Delete region"
              action={actions.remove.bind(null, id)}
            >
              Delete
            </ConfirmButton>
          </div>
        ) : null}
      </div>
      {probes.length > 0 ? (
        <ProbeTable label={`Probes of ${name}`} probes={probes} serviceVersion={serviceVersion} now={now} />
      ) : (
        <EmptyNote>
          {tokens.length === 0
            ? 'No probe yet. Create a token, and start a probe with it in this region.'
            : 'No probe has reported in the last 24 hours. Start one with a token of this region.'}
        </EmptyNote>
      )}
      {tokens.length > 0 ? (
        <>
          <h4 className="text-sm font-medium">Tokens</h4>
          <TokenList tokens={tokens} now={now} {...(actions && { actions })} />
        </>
      ) : null}
    </section>
  );
}

/** What the reader may do with a token. */
type TokenActions = {
  rotate: (region: string, id: string) => Promise<ActionResult<ShownToken>>;
  revoke: (region: string, id: string) => Promise<ActionProblem>;
};

/** Without `actions` the list is read-only. */
type TokenListProps = { tokens: readonly ProbeToken[]; now: string; actions?: TokenActions };

/** The tokens of an own region, valid ones first. */
function TokenList({ tokens, now, actions }: TokenListProps) {
  return (
    <CredentialList
      items={tokens}
      now={now}
      words={PROBE_TOKEN_WORDS}
      actions={
        actions && {
          rotate: ({ region, id }: ProbeToken) => actions.rotate(region, id),
          revoke: ({ region, id }: ProbeToken) => actions.revoke(region, id),
        }
      }
      showCreated={(created: ShownToken) => <NewProbeToken key={created.token} {...created} />}
      expiring="replaced, "
    />
  );
}
