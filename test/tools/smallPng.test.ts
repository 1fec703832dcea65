import assert from 'node:assert/strict';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { smallPng } from './smallPng.ts';

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}

/** A picture of RGB rows, each after its filter. */
function rgb(width: number, rows: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The colours of a PNG as `smallPng` writes it. */
function colours(png: Buffer): string[] {
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    parts.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const width = png.readUInt32BE(16);
  const palette = parts.get('PLTE') ?? Buffer.alloc(0);
  return [...inflateSync(parts.get('IDAT') ?? Buffer.alloc(0))].flatMap((index, at) =>
    at % (width + 1) === 0 ? [] : [palette.toString('hex', index * 3, index * 3 + 3)],
  );
}

describe('smallPng', () => {
  it('keeps every pixel of a picture with few colours, whatever its filters', () => {
    const png = rgb(2, [
      [0, 10, 20, 30, 200, 100, 50],
      [1, 10, 20, 30, 190, 80, 20], // Left: the same two.
      [2, 0, 0, 0, 0, 0, 0], // Up.
      [3, 5, 10, 15, 95, 40, 10], // The mean of both.
      [4, 0, 0, 0, 0, 0, 0], // Paeth.
    ]);
    const row = ['0a141e', 'c86432'];
    assert.deepEqual(colours(smallPng(png)), [...row, ...row, ...row, ...row, ...row]);
  });

  it('takes colours near to those of a picture with many', () => {
    const width = 40;
    const rows = Array.from({ length: width }, (_, y) => [
      0,
      ...Array.from({ length: width }, (_, x) => [x * 6, y * 6, 128]).flat(),
    ]);
    const found = colours(smallPng(rgb(width, rows)));
    assert.equal(new Set(found).size, 256);
    for (const [at, colour] of found.entries()) {
      const [red = 0, green = 0] = Buffer.from(colour, 'hex');
      const far = Math.abs(red - (at % width) * 6) + Math.abs(green - Math.floor(at / width) * 6);
      assert.ok(far <= 24, `${at}: ${far}`);
    }
  });

  it('refuses what it cannot read', () => {
    const palette = smallPng(rgb(1, [[0, 1, 2, 3]]));
    assert.throws(() => smallPng(palette), /Only PNGs of 8 bits/);
  });
});
