import fs from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

/**
 * Unpacks a zip as small as ours (no Zip64, no encryption) into `folder`, with the modes of its files. Offsets are those of
 * PKWARE's APPNOTE 4.3: the directory at the end names each file and where its own header stands.
 */
export function unzip(archive: string, folder: string): void {
  const bytes = fs.readFileSync(archive);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let entry = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const nameLength = bytes.readUInt16LE(entry + 28);
    const name = bytes.toString('utf8', entry + 46, entry + 46 + nameLength);
    const header = bytes.readUInt32LE(entry + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(entry + 20));
    const file = path.join(folder, name);
    if (!file.startsWith(folder + path.sep)) throw new Error(`${archive} holds ${name}, which leads out of its folder`);
    if (!name.endsWith('/')) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const isPacked = bytes.readUInt16LE(entry + 10) === 8;
      // The upper half of the external attributes is the mode where a Unix packed it.
      const mode = (bytes.readUInt32LE(entry + 38) >>> 16) & 0o777;
      fs.writeFileSync(file, isPacked ? inflateRawSync(packed) : packed, { mode: mode === 0 ? 0o644 : mode });
    }
    entry += 46 + nameLength + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
  }
}
