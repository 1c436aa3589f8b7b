/** A color as lowercase `#rrggbb`. */
export type Hex = `#${string}`;

type Triple = readonly [number, number, number];

const HEX = /^#[0-9a-f]{6}$/;

/** Parses a color; null for anything but `#` and six hex digits. */
export function readHex(text: string): Hex | null {
  const lower = text.toLowerCase();
  return HEX.test(lower) ? (lower as Hex) : null;
}

/** The contrast ratio of two colors, from 1 to 21, as defined by WCAG 2.2. */
export function contrast(one: Hex, other: Hex): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** `share` (0 to 1) of `other` in `one`. */
export function mix(one: Hex, other: Hex, share: number): Hex {
  const [a, b] = [channels(one), channels(other)];
  const at = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * share;
  return fromChannels([at(0), at(1), at(2)]);
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
export function toHsl(color: Hex): Triple {
  const [r, g, b] = channels(color).map((channel) => channel / 255) as unknown as Triple;
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const [lightness, range] = [(high + low) / 2, high - low];
  if (range === 0) return [0, 0, lightness];
  const saturation = range / (1 - Math.abs(2 * lightness - 1));
  const sector =
    high === r ? ((g - b) / range + 6) % 6 : high === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [sector * 60, saturation, lightness];
}

/** The nearest color with eight bits per channel. */
export function fromHsl([hue, saturation, lightness]: Triple): Hex {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const at = (n: number) => {
    const k = (n + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return fromChannels([at(0), at(8), at(4)]);
}

function luminance(color: Hex): number {
  const [r, g, b] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(color: Hex): Triple {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function fromChannels(triple: Triple): Hex {
  const digits = triple.map((channel) => Math.round(channel).toString(16).padStart(2, '0'));
  return `#${digits.join('')}`;
}
