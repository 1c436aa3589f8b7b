import { type Flaw, type ReadFormat, type Size, sizeOf, viewOf } from './format';

export const JPEG_SIGNATURE = '\xff\xd8\xff';

const [END, SCAN] = [0xd9, 0xda];

/** Reads a JPEG (ITU-T T.81): all segments and scans. */
export const readJpeg: ReadFormat = (bytes) => {
  const view = viewOf(bytes);
  let size: Size | null = null;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (bytes[at] !== 0xff) return 'damaged';
    // Any number of fill bytes may come before a marker.
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    at += 2;
    if (marker === END) {
      if (size === null || !hasScan) return 'damaged';
      return at === bytes.length ? size : 'followed';
    }
    // Markers without a segment stand in scans only.
    if (marker < 0xc0 || (marker >= 0xd0 && marker < END) || at + 2 > bytes.length) return 'damaged';
    const end = at + view.getUint16(at);
    if (end < at + 2 || end > bytes.length) return 'damaged';
    if (isFrame(marker)) {
      if (size !== null) return 'damaged';
      const read = readFrame(view, at, end);
      if (typeof read === 'string') return read;
      size = read;
    }
    at = end;
    if (marker !== SCAN) continue;
    if (size === null) return 'damaged';
    hasScan = true;
    at = findEndOfScan(bytes, end);
  }
};

/** Whether a marker begins a frame: neither tables (c4, cc) nor reserved (c8). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readFrame(view: DataView, at: number, end: number): Size | Flaw {
  if (end < at + 8) return 'damaged';
  // A height of 0 would be stated after the first scan; nobody writes that.
  return sizeOf(view.getUint16(at + 5), view.getUint16(at + 3));
}

/** Where the next marker is, or the end. In a scan, ff is data if it is followed by 00, and may begin a restart marker. */
function findEndOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7) && next !== 0xff) return at;
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}
