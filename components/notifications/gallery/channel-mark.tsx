import type { Mark } from '@/lib/webhook-formats/format';

/** The tile of a channel, in place of a logo. */
export function ChannelMark({ mark: { letters, color } }: { mark: Mark }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-10 shrink-0">
      <rect width="40" height="40" rx="9" fill={color} />
      <text x="20" y="26" fill="#fff" fontSize="17" fontWeight="600" textAnchor="middle">
        {letters}
      </text>
    </svg>
  );
}
