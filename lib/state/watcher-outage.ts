/**
 * How targets are reached: through a gateway (a VPN included), or over one directly attached link. One can be cut off while the other
 * works.
 */
export type Way = 'routed' | `on-link ${string}`;

/** Something that responds as long as a way works. `isConfigured`: it is of NETWORK_CANARY. */
export type NetworkProof = { id: string; way: Way; isConfigured: boolean };

/** All moments are milliseconds of one monotonic clock. */
type KnownProof = NetworkProof & {
  workedAt: number;
  /** When it was first silent since it last worked; null: it was not. */
  silentSince: number | null;
  /** When it last worked again after it had been silent. */
  recoveredAt: number;
};

/** What checks showed of a way: constant work per check, at most one entry per host. */
type WayView = {
  failedAt: Map<string, number>;
  reachedAt: number;
  /** Hosts whose failure counted since they were last reached. */
  failing: Set<string>;
};

/** What a watcher knows of its own network. */
export type NetworkView = { proofs: Map<string, KnownProof>; ways: Map<Way, WayView> };

/** A proof counts for this long after it last worked. */
export const PROOF_COUNTS_MS = 600_000;
/** A proof is ignored once it has been silent for this long while targets are reached. */
export const PROOF_IGNORED_MS = 30_000;
/** How often each counting proof is asked about a network failure. */
export const PROOF_ROUNDS = 3;
/** Without a counting proof: this many hosts fail within this time, and no host is reached. */
export const OUTAGE_HOSTS = 5;
export const OUTAGE_WINDOW_MS = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

/** The view of a watcher that has seen nothing yet. */
export function createNetworkView(): NetworkView {
  return { proofs: new Map(), ways: new Map() };
}

/**
 * Replaces the proofs there are. One that is not listed any more is kept while it counts: when a link is cut, its gateway and
 * resolvers disappear from the settings of the machine.
 */
export function listProofs(view: NetworkView, listed: readonly NetworkProof[], now: number): void {
  const ids = new Set(listed.map(({ id }) => id));
  for (const [id, { workedAt }] of view.proofs)
    if (!ids.has(id) && now - workedAt > PROOF_COUNTS_MS) view.proofs.delete(id);
  for (const proof of listed) {
    const { workedAt = NEVER, silentSince = null, recoveredAt = NEVER } = view.proofs.get(proof.id) ?? {};
    view.proofs.set(proof.id, { ...proof, workedAt, silentSince, recoveredAt });
  }
}

/** Notes whether a proof responded, when it was asked at `askedAt`. */
export function noteProof(
  view: NetworkView,
  { id, worked, askedAt, at }: { id: string; worked: boolean; askedAt: number; at: number },
): void {
  const proof = view.proofs.get(id);
  if (proof === undefined) return;
  if (!worked) proof.silentSince ??= askedAt;
  else {
    if (proof.silentSince !== null) proof.recoveredAt = at;
    proof.workedAt = at;
    proof.silentSince = null;
  }
}

/** Notes that a target was reached, even if its response was wrong: earlier failures had another cause. */
export function noteReached(view: NetworkView, way: Way, host: string, at: number): void {
  const own = wayView(view, way);
  own.reachedAt = at;
  if (own.failedAt.size > 0) own.failedAt.clear();
  if (own.failing.size > 0) own.failing.delete(normalizeHost(host));
}

/** Notes that the network failed on the way to a host. One whose failure counted before shows nothing new. */
export function noteFailed(view: NetworkView, way: Way, host: string, at: number): void {
  const { failedAt, failing } = wayView(view, way);
  const name = normalizeHost(host);
  if (!failing.has(name)) failedAt.set(name, at);
}

/** Notes that the failure of a host counted. */
export function noteCounted(view: NetworkView, way: Way, host: string): void {
  wayView(view, way).failing.add(normalizeHost(host));
}

/** Whether a network failure has to be held until it is decided: not if no proof counts, and a failure of the host counted before. */
export function mustHold(view: NetworkView, { way, isCounting }: Question, host: string): boolean {
  return isCounting || !wayView(view, way).failing.has(normalizeHost(host));
}

/** Forgets what was seen while a way was cut off. */
export function clearFailures(view: NetworkView, way: Way): void {
  wayView(view, way).failedAt.clear();
}

/** Whether a proof decides: it worked within the last 10 minutes, and was not silent while targets were reached. */
function counts(view: NetworkView, proof: KnownProof, now: number): boolean {
  const ways: Way[] = proof.isConfigured ? [proof.way, 'routed'] : [proof.way];
  return now - proof.workedAt <= PROOF_COUNTS_MS && !isContradicted(view, proof, ways);
}

function isContradicted(view: NetworkView, { silentSince }: KnownProof, ways: Iterable<Way>): boolean {
  if (silentSince === null) return false;
  return [...ways].some((way) => wayView(view, way).reachedAt - silentSince >= PROOF_IGNORED_MS);
}

/** The proofs of NETWORK_CANARY that are silent while targets are reached, and since when the first of them is. */
export function findSilentCanaries(view: NetworkView): { ids: string[]; since: number } | null {
  const silent = [...view.proofs.values()].filter(
    (proof) => proof.isConfigured && isContradicted(view, proof, view.ways.keys()),
  );
  if (silent.length === 0) return null;
  const since = Math.min(...silent.map(({ silentSince }) => silentSince ?? Number.POSITIVE_INFINITY));
  return { ids: silent.map(({ id }) => id), since };
}

/** What is asked about network failures on a way. */
export type Question = { way: Way; proofs: readonly NetworkProof[]; isCounting: boolean };

/**
 * Selects the proofs that decide whether a way works: those of that way that count; else what NETWORK_CANARY lists elsewhere and counts.
 * Where none counts, all of these are asked nevertheless, since one that responds now is proof.
 */
export function selectProofs(view: NetworkView, way: Way, now: number): Question {
  const all = [...view.proofs.values()];
  const own = all.filter((proof) => proof.way === way);
  const configured = all.filter((proof) => proof.way !== way && proof.isConfigured);
  for (const candidates of [own, configured]) {
    const proofs = candidates.filter((proof) => counts(view, proof, now));
    if (proofs.length > 0) return { way, proofs, isCounting: true };
  }
  return { way, proofs: [...own, ...configured], isCounting: false };
}

/** Since when a proof that works, and a target that is reached, show that a way works. */
type Since = { startedAt: number; reachedSince: number };

/** Whether a target was reached on the way, or one of the proofs worked, since then. */
export function isProven(
  view: NetworkView,
  { way, proofs }: Question,
  { startedAt, reachedSince }: Since,
): boolean {
  if (wayView(view, way).reachedAt >= reachedSince) return true;
  return proofs.some(({ id }) => (view.proofs.get(id)?.workedAt ?? NEVER) >= startedAt);
}

/** When a target was last reached on the way, or one of the proofs worked; null: never. */
export function provenAt(view: NetworkView, { way, proofs }: Question): number | null {
  const worked = proofs.map(({ id }) => view.proofs.get(id)?.workedAt ?? NEVER);
  const at = Math.max(wayView(view, way).reachedAt, ...worked);
  return at === NEVER ? null : at;
}

/** When one of the proofs last worked again after it had been silent: checks that began before may have failed because of that. */
export function recoveredAt(view: NetworkView, { proofs }: Question): number {
  return Math.max(NEVER, ...proofs.map(({ id }) => view.proofs.get(id)?.recoveredAt ?? NEVER));
}

/**
 * Decides about network failures that are held since `startedAt`, after `failedRounds` rounds in which no proof responded: the way
 * works, the watcher is cut off, or it is too early to tell. Where no proof counts, it is cut off if 5 hosts failed within 10 s and none
 * was reached.
 */
export function decideOutage(
  view: NetworkView,
  trial: Question & Since & { failedRounds: number },
  now: number,
): 'works' | 'cut off' | 'undecided' {
  if (isProven(view, trial, trial)) return 'works';
  const isCutOff = trial.isCounting
    ? trial.failedRounds >= PROOF_ROUNDS
    : hasManyFailures(wayView(view, trial.way), now);
  return isCutOff ? 'cut off' : 'undecided';
}

function hasManyFailures({ failedAt, reachedAt }: WayView, now: number): boolean {
  if (now - reachedAt <= OUTAGE_WINDOW_MS) return false;
  let hosts = 0;
  for (const at of failedAt.values()) if (now - at <= OUTAGE_WINDOW_MS) hosts += 1;
  return hosts >= OUTAGE_HOSTS;
}

function wayView({ ways }: NetworkView, way: Way): WayView {
  const known = ways.get(way);
  if (known) return known;
  const added: WayView = { failedAt: new Map(), reachedAt: NEVER, failing: new Set() };
  ways.set(way, added);
  return added;
}

/** Whether a host is this machine: localhost or loopback, including bracketed and IPv4-mapped addresses. */
export function isLoopbackHost(host: string): boolean {
  if (!/localhost|127\.|:/i.test(host)) return false;
  const name = normalizeHost(host);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (/^(0*:)+:?0*1$/.test(name)) return true;
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}

function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
