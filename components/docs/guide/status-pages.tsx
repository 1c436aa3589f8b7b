import { CodePanel } from '../code-panel';
import { MeaningTable, Section } from './section';

const PANEL = 'rounded-md border border-line bg-sunken';

/** How a page gets a domain of its own, and what it has for machines and other web sites. */
export function StatusPages({ publicUrl }: { publicUrl: string }) {
  const page = `${publicUrl}/status/acme`;
  return (
    <>
      <Section id="custom-domains" title="Custom domains">
        <p>
          Set <code>customDomain</code> on a status page (Pro plan). Its <code>customDomainStatus</code> then
          names two DNS records to make: a TXT record <code>_pharos.&lt;domain&gt;</code>, which shows that
          the domain is yours, and a CNAME of the domain itself, which leads visitors here.
        </p>
        <ul className="flex flex-col gap-1">
          <li>
            The TXT record is looked for every 5 minutes during the first 3 days, then once a day.{' '}
            <code>POST /status-pages/:slug/verify-domain</code> looks at once.
          </li>
          <li>
            A verified domain is checked again daily. While its record is certainly missing (no such name, no
            TXT record, another value) the page is served on and the record looked for every hour; once it has
            been missing for 3 days the domain is <code>lost</code>. A name server that does not answer or
            fails takes no page down.
          </li>
          <li>
            Where two pages name one domain, the one that proves it first has it. The other is{' '}
            <code>taken</code> until the first lets it go.
          </li>
          <li>Another domain begins anew.</li>
        </ul>
      </Section>
      <Section id="feeds-and-badges" title="Feeds, badges and embedding">
        <p>
          A published page has more than its HTML, without a key, below its address and on its own domain
          alike. Scripts of any origin may read all of it.
        </p>
        <MeaningTable
          caption="What a published page has for machines"
          heads={['Path', 'What it is']}
          rows={[
            {
              name: '/status.json',
              meaning: (
                <>
                  The body of <code>GET /status-pages/public</code>.
                </>
              ),
            },
            {
              name: '/feed.atom, /feed.rss',
              meaning:
                'Open incidents and those of the last 14 days, with their updates. An entry keeps its id through every update.',
            },
            {
              name: '/badge.svg',
              meaning: (
                <>
                  The overall status; <code>?monitor=mon_…</code> for one monitor of the page, with{' '}
                  <code>&amp;show=uptime</code> for its last 30 days; <code>?label=</code> for another label,
                  at most 60 characters.
                </>
              ),
            },
            { name: '/embed', meaning: 'The status in one line, for an iframe; without any script.' },
          ]}
        />
        <p>On a web site:</p>
        <CodePanel
          text={`<iframe src="${page}/embed" title="Status" width="320" height="44" style="border:0"></iframe>`}
          label="Copy the line"
          className={PANEL}
        />
        <p>In a README:</p>
        <CodePanel
          text={`[![Status](${page}/badge.svg)](${page})`}
          label="Copy the badge"
          className={PANEL}
        />
      </Section>
    </>
  );
}
