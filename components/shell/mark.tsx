/** The logo, a lighthouse; decorative, because the name is next to it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2a55c9" />
      <path d="M3.5 6.4 12.4 9v3L3.5 14.6zM28.5 6.4 19.6 9v3l8.9 2.6z" fill="#fff" opacity=".45" />
      <path d="M13.2 8.2 16 5.5l2.8 2.7v4.3h-5.6z" fill="#ffd166" />
      <path d="M12 13.2h8v1.6h-8zM13 15.8h6l1.5 9.4h-9zM9.8 26h12.4v1.5H9.8z" fill="#fff" />
    </svg>
  );
}
