import { constants, crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * A picture of a window as a PNG of at most 256 colours, which is a third of its size and looks the same: windows are flat. Takes
 * what browsers write: 8 bits, RGB or RGBA, not interlaced. What is see-through becomes solid. Throws for any other PNG.
 * (PNG specification, third edition: chunks 5.3, filters 9.2, palettes 11.2.2.)
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const palette = choosePalette(countColours(pixels));
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    rows[at++] = 0; // No filter: neighbours of a palette are no neighbours in colour.
    for (let x = 0; x < width; x++) {
      const colour = pixels[y * width + x] ?? 0;
      let index = nearest.get(colour);
      if (index === undefined) {
        index = nearestOf(palette, colour);
        nearest.set(colour, index);
      }
      rows[at++] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY });
  const parts = [chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...parts]);
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Colours as 0xRRGGBB, row by row. */
function decode(png: Buffer): { readonly width: number; readonly height: number; readonly pixels: Uint32Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [bits, kind, , , interlaced] = png.subarray(24, 29);
  const bytes = kind === 2 ? 3 : kind === 6 ? 4 : 0;
  if (bits !== 8 || bytes === 0 || interlaced !== 0)
    throw new Error('Only PNGs of 8 bits, RGB or RGBA, not interlaced.');
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * bytes;
  const pixels = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    const row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let i = 0; i < stride; i++) {
      const left = i < bytes ? 0 : (row[i - bytes] ?? 0);
      const up = above[i] ?? 0;
      const corner = i < bytes ? 0 : (above[i - bytes] ?? 0);
      row[i] = (row[i] ?? 0) + predicted(filter, left, up, corner);
    }
    for (let x = 0; x < width; x++) {
      const [red = 0, green = 0, blue = 0] = row.subarray(x * bytes, x * bytes + 3);
      pixels[y * width + x] = (red << 16) | (green << 8) | blue;
    }
    above = row;
  }
  return { width, height, pixels };
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function countColours(pixels: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return counts;
}

/** Median cut: the box with the longest side among the well filled is halved until there are 256; each gives its commonest colour. */
function choosePalette(counts: ReadonlyMap<number, number>): readonly number[] {
  const boxes: number[][] = [[...counts.keys()]];
  const side = (box: readonly number[]) =>
    [16, 8, 0]
      .map((shift) => {
        const values = box.map((colour) => (colour >> shift) & 255);
        return { shift, length: values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b)) };
      })
      .reduce((a, b) => (b.length > a.length ? b : a));
  const sides = new Map(boxes.map((box) => [box, side(box)]));
  while (boxes.length < 256) {
    const longest = boxes.reduce((a, b) => ((sides.get(b)?.length ?? 0) > (sides.get(a)?.length ?? 0) ? b : a));
    const { shift, length } = sides.get(longest) ?? { shift: 0, length: 0 };
    if (length === 0) break;
    const sorted = longest.toSorted((a, b) => ((a >> shift) & 255) - ((b >> shift) & 255));
    const middle = sorted.length >> 1;
    boxes.splice(boxes.indexOf(longest), 1);
    for (const half of [sorted.slice(0, middle), sorted.slice(middle)]) {
      boxes.push(half);
      sides.set(half, side(half));
    }
  }
  return boxes.map((box) => box.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a)));
}

function nearestOf(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, other, index) => (distance(other) < distance(palette[best] ?? 0) ? index : best), 0);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
