// The icon font holds some 500 pictures, of which the page shows a few dozen: the others are left out of what is shipped.
import fs from 'node:fs';
import path from 'node:path';

/** Leaves the icons in the font of `dist` whose names stand as texts in the page's scripts there. */
export function keepUsedIcons(dist) {
  const files = fs.readdirSync(dist);
  const scripts = files.filter((name) => /^webview[\w.-]*\.js$/.test(name));
  const texts = new Set(
    scripts.flatMap((name) =>
      [...fs.readFileSync(path.join(dist, name), 'utf8').matchAll(/(["'`])([a-z][a-z0-9-]*)\1/g)].map(
        (found) => found[2],
      ),
    ),
  );
  const used = new Set();
  for (const [name, character] of iconsOf(fs.readFileSync(path.join(dist, 'webview.css'), 'utf8')))
    if (texts.has(name)) used.add(character);
  if (used.size === 0) throw new Error(`No icon of ${dist}/webview.css is used by the page: its form has changed.`);
  const font = path.join(dist, 'codicon.ttf');
  fs.writeFileSync(font, keepGlyphs(fs.readFileSync(font), used));
  return used.size;
}

/**
 * Name and character of each icon in the bundled styles.
 * @returns {[string, number][]}
 */
export function iconsOf(styles) {
  return [...styles.matchAll(/((?:\.codicon-[a-z0-9-]+::?before,?)+)\{content:"\\([0-9a-f]+)";?\}/g)].flatMap(
    ([, selectors = '', code = '']) =>
      [...selectors.matchAll(/codicon-([a-z0-9-]+):/g)].map(([, name = '']) => [name, Number.parseInt(code, 16)]),
  );
}

/**
 * The same font, the outlines of all other characters taken out: their places stay, empty. The freed room is zeros, which a zip
 * packs to nothing. (OpenType 1.9: `cmap` format 4, `head`, `loca`, `glyf`. Composite glyphs are refused: the font has none.)
 */
export function keepGlyphs(font, characters) {
  const { table, startOf, count, writeStart, setSum } = openFont(font);
  const kept = new Set([0, ...[...characters].map((character) => glyphOf(table('cmap'), character))]);
  const starts = Array.from({ length: count + 1 }, (_, index) => startOf(index));
  const glyf = table('glyf');
  const old = Buffer.from(glyf);
  glyf.fill(0);
  let at = 0;
  for (let index = 0; index < count; index++) {
    writeStart(index, at);
    if (!kept.has(index)) continue;
    const outline = old.subarray(starts[index], starts[index + 1]);
    if (outline.length > 0 && outline.readInt16BE(0) < 0)
      throw new Error(`Glyph ${index} of the icon font is composite.`);
    outline.copy(glyf, at);
    at += outline.length;
  }
  writeStart(count, at);
  setSum('glyf');
  setSum('loca');
  return font;
}

/** Bytes of the outline that a character has; 0: it is drawn as nothing. */
export function outlineLength(font, character) {
  const { table, startOf } = openFont(font);
  const glyph = glyphOf(table('cmap'), character);
  return startOf(glyph + 1) - startOf(glyph);
}

function openFont(font) {
  const tables = new Map();
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = 12 + i * 16;
    const start = font.readUInt32BE(entry + 8);
    const bytes = font.subarray(start, start + font.readUInt32BE(entry + 12));
    tables.set(font.toString('latin1', entry, entry + 4), { entry, bytes });
  }
  const table = (name) => tables.get(name).bytes;
  const loca = table('loca');
  const long = table('head').readInt16BE(50) === 1;
  return {
    table,
    count: loca.length / (long ? 4 : 2) - 1,
    startOf: (index) => (long ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2),
    writeStart: (index, at) => (long ? loca.writeUInt32BE(at, index * 4) : loca.writeUInt16BE(at / 2, index * 2)),
    setSum: (name) => font.writeUInt32BE(sumOf(table(name)), tables.get(name).entry + 4),
  };
}

function glyphOf(cmap, character) {
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const at = cmap.readUInt32BE(4 + i * 8 + 4);
    if (cmap.readUInt16BE(at) !== 4) continue;
    const doubled = cmap.readUInt16BE(at + 6);
    for (let segment = 0; segment < doubled; segment += 2) {
      const end = cmap.readUInt16BE(at + 14 + segment);
      const start = cmap.readUInt16BE(at + 16 + doubled + segment);
      if (character < start || character > end) continue;
      const delta = cmap.readUInt16BE(at + 16 + 2 * doubled + segment);
      const slot = at + 16 + 3 * doubled + segment;
      const offset = cmap.readUInt16BE(slot);
      if (offset === 0) return (character + delta) & 0xffff;
      const glyph = cmap.readUInt16BE(slot + offset + 2 * (character - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
  }
  throw new Error(`The icon font has no character ${character.toString(16)}.`);
}

/** Of a table: the sum of its numbers of 32 bits. */
function sumOf(bytes) {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const word = [0, 1, 2, 3].reduce((value, byte) => value * 256 + (bytes[at + byte] ?? 0), 0);
    sum = (sum + word) >>> 0;
  }
  return sum;
}
