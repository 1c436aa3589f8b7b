// What groups are, written from the description of the feature alone: it shares no code with what it is compared to.

export type Counted = 'up' | 'degraded' | 'down' | 'none';
export type Rule = { kind: 'all' | 'any' | 'count' | 'share'; minimum: number };
type Change = { at: number; is: Counted };

/** A step of a sequence. Members are numbers; times are seconds. */
export type Step = { after: number } & (
  | { do: 'change'; member: number; is: 'up' | 'degraded' | 'down'; begun: number }
  | { do: 'silence' | 'pause' | 'begin window'; member: number }
  /** Ends whatever keeps a member from counting: it is what it was found to be. */
  | { do: 'return'; member: number; is: 'up' | 'degraded' | 'down' }
  | { do: 'pause group' | 'resume group' | 'begin window of group' | 'end window of group' }
  | { do: 'edit'; rule: Rule }
  | { do: 'remove'; member: number }
);

/** What a group with these members is. */
export function amountTo(rule: Rule, members: readonly Counted[]): Counted {
  const counting = members.filter((member) => member !== 'none');
  if (counting.length === 0) return 'none';
  const up = counting.filter((member) => member === 'up' || member === 'degraded').length;
  const suffices = {
    all: up === counting.length,
    any: up >= 1,
    // N is capped at the members that count.
    count: up >= rule.minimum || up === counting.length,
    share: 100 * up >= rule.minimum * counting.length,
  }[rule.kind];
  if (!suffices) return 'down';
  return counting.includes('degraded') ? 'degraded' : 'up';
}

/** The history of members, and of a group that follows them. */
export class GroupModel {
  now = 0;
  private readonly histories: Change[][];
  private members: number[];
  private rule: Rule;
  private isPaused = false;
  private isInWindow = false;
  /** What the group counts as; its latest entry is what it is. */
  private readonly group: Change[] = [{ at: 0, is: 'none' }];
  /** No period begins before it. */
  private knownFrom = 0;

  constructor(count: number, rule: Rule) {
    this.members = Array.from({ length: count }, (_, member) => member);
    this.histories = this.members.map(() => [{ at: 0, is: 'none' }]);
    this.rule = rule;
  }

  /** Whether a step is possible now. */
  allows(step: Step): boolean {
    if ('member' in step && !this.members.includes(step.member)) return false;
    if (step.do === 'remove') return this.members.length > 1;
    const isAway = 'member' in step && this.isAway(step.member);
    if (step.do === 'change' || step.do === 'silence' || step.do === 'pause' || step.do === 'begin window')
      return !isAway;
    if (step.do === 'return') return isAway;
    if (step.do === 'pause group' || step.do === 'begin window of group')
      return !this.isPaused && !this.isInWindow;
    if (step.do === 'resume group') return this.isPaused;
    return step.do !== 'end window of group' || this.isInWindow;
  }

  take(step: Step): void {
    this.now += step.after;
    this.apply(step);
    this.follow();
  }

  /** The periods of the group that lasted, oldest first. */
  ledger(): Change[] {
    return lasting(this.group, this.now);
  }

  historyOf(member: number): Change[] {
    return this.histories[member] ?? [];
  }

  /** When a change of a member that is said to have begun so many seconds ago did. */
  begins(member: number, ago: number): number {
    const last = this.historyOf(member).at(-1)?.at ?? 0;
    return Math.min(this.now, Math.max(last, this.now - ago));
  }

  private isAway(member: number): boolean {
    return this.historyOf(member).at(-1)?.is === 'none';
  }

  private apply(step: Step): void {
    const { now } = this;
    switch (step.do) {
      case 'change':
        this.historyOf(step.member).push({ at: this.begins(step.member, step.begun), is: step.is });
        break;
      case 'silence':
      case 'pause':
      case 'begin window':
        this.historyOf(step.member).push({ at: now, is: 'none' });
        break;
      case 'return':
        this.historyOf(step.member).push({ at: now, is: step.is });
        break;
      case 'pause group':
        this.isPaused = true;
        this.group.push({ at: now, is: 'none' });
        break;
      case 'begin window of group':
        this.isInWindow = true;
        this.group.push({ at: now, is: 'none' });
        break;
      case 'resume group':
      case 'end window of group':
        this.isPaused = false;
        this.isInWindow = false;
        this.knownFrom = now;
        break;
      case 'edit':
        // The same rule is no other one.
        if (JSON.stringify(step.rule) === JSON.stringify(this.rule)) break;
        this.rule = step.rule;
        this.knownFrom = now;
        break;
      case 'remove':
        this.members = this.members.filter((member) => member !== step.member);
        this.knownFrom = now;
        break;
    }
  }

  private at(moment: number): Counted {
    const states = this.members.map(
      (member) => this.historyOf(member).findLast(({ at }) => at <= moment)?.is ?? 'none',
    );
    return amountTo(this.rule, states);
  }

  private follow(): void {
    if (this.isPaused || this.isInWindow) return;
    const is = this.at(this.now);
    const last = this.group.at(-1);
    if (last?.is === is) return;
    let since = this.now;
    while (since - 1 >= Math.max(this.knownFrom, last?.at ?? 0) && this.at(since - 1) === is) since -= 1;
    this.group.push({ at: since, is });
  }
}

/** Entries without those that lasted no time, and those that repeat the one before. */
export function lasting(changes: readonly Change[], now: number): Change[] {
  const lasted = changes.filter(({ at }, place) => (changes[place + 1]?.at ?? now + 1) > at);
  return lasted.filter(({ is }, place) => lasted[place - 1]?.is !== is);
}
