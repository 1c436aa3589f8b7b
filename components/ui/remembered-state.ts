/** What a `RememberedFold` stores in its cookie. */
export const [OPEN, CLOSED] = ['open', 'closed'] as const;
