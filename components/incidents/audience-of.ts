/** A status page as a choice of monitors is held against it. */
export type AudiencePage = {
  slug: string;
  name: string;
  published: boolean;
  /** Where the public reads it; null while nobody can. */
  address: string | null;
  monitors: readonly string[];
  subscribers: number;
};

export type AudienceOf = {
  /** Those that show an incident of these monitors, to the public or once they are published. */
  pages: AudiencePage[];
  /** How many mails an update sends. */
  mails: number;
};

/** Who gets to see an incident that affects these monitors: a page shows incidents of the monitors on it. */
export function audienceOf(pages: readonly AudiencePage[], monitors: readonly string[]): AudienceOf {
  const affected = new Set(monitors);
  const showing = pages.filter((page) => page.monitors.some((id) => affected.has(id)));
  const mails = showing.reduce((sum, { published, subscribers }) => sum + (published ? subscribers : 0), 0);
  return { pages: showing, mails };
}
