// VS Code writes every log file, and every extension's log output channel, through
// this module. The real one is C++ and ships no prebuilt binary.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let defaultLevel = 2;

class Logger {
  #fd;
  #file;
  #size = 0;
  #max;
  #keep;
  #raw = false;
  #level = defaultLevel;

  constructor(_kind, _name, file, maxSize, maxFiles) {
    this.#file = file;
    this.#max = maxSize || Infinity;
    this.#keep = Math.max(1, maxFiles || 1);
    this.#open();
  }
  #open() {
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    this.#fd = fs.openSync(this.#file, 'a');
    this.#size = fs.fstatSync(this.#fd).size;
  }
  #rotate() {
    fs.closeSync(this.#fd);
    const { dir, name, ext } = path.parse(this.#file);
    const nth = (n) => path.join(dir, n === 0 ? name + ext : `${name}.${n}${ext}`);
    for (let n = this.#keep - 1; n > 0; n--) {
      if (fs.existsSync(nth(n - 1))) fs.renameSync(nth(n - 1), nth(n));
    }
    if (this.#keep === 1) fs.truncateSync(this.#file);
    this.#open();
  }
  #write(level, message) {
    if (level < this.#level || this.#fd === undefined) return;
    let text = String(message);
    if (!this.#raw) {
      const now = new Date();
      const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
      text = `${local.toISOString().slice(0, -1).replace('T', ' ')} [${LEVELS[level]}] ${text}\n`;
    }
    const bytes = Buffer.from(text);
    if (this.#size + bytes.length > this.#max && this.#size > 0) this.#rotate();
    fs.writeSync(this.#fd, bytes);
    this.#size += bytes.length;
  }
  trace(m) {
    this.#write(0, m);
  }
  debug(m) {
    this.#write(1, m);
  }
  info(m) {
    this.#write(2, m);
  }
  warn(m) {
    this.#write(3, m);
  }
  error(m) {
    this.#write(4, m);
  }
  critical(m) {
    this.#write(5, m);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#raw = false;
  }
  clearFormatters() {
    this.#raw = true;
  }
  flush() {}
  drop() {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }
}

const create = async (name, file, maxSize, maxFiles) => new Logger('rotating', name, file, maxSize, maxFiles);
// One statement per name: VS Code imports them as named exports of an ES module.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = (level) => {
  defaultLevel = level;
};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
