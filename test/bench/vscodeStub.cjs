// A `vscode` for a bundle that is loaded outside of the editor: it takes every registration and does nothing.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');

function member(target, key) {
  if (key === 'then') return undefined; // It is no promise.
  if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
  if (key === Symbol.toPrimitive) return () => '';
  return key === 'prototype' ? target.prototype : nothing;
}
/** A bundle copies what it sees of a module, and looks the rest up here. */
const members = new Proxy({}, { get: member });
/** Whatever is read, called or constructed is the same nothing again. */
const nothing = new Proxy(class {}, {
  get: member,
  getPrototypeOf: () => members,
  apply: () => nothing,
  construct: () => nothing,
});

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === 'vscode' ? nothing : load.call(this, request, ...rest);
};

/** What `activate` is given: a window that remembers nothing. */
exports.context = new Proxy(
  { subscriptions: [], workspaceState: { get: () => undefined } },
  { get: (own, key) => own[key] ?? nothing },
);

/** From now on, what is called of this: the names of the calls, in their order. */
exports.watchCalls = () => {
  const calls = [];
  const watch = (owner, names) => {
    for (const name of names.filter((one) => typeof owner[one] === 'function')) {
      const real = owner[name];
      owner[name] = function (...args) {
        calls.push(name);
        return Reflect.apply(real, this, args);
      };
    }
  };
  watch(childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']);
  const files = [
    'open',
    'read',
    'readFile',
    'stat',
    'lstat',
    'access',
    'readdir',
    'realpath',
    'writeFile',
    'mkdir',
    'rm',
    'watch',
  ];
  watch(fs, [...files, ...files.map((name) => `${name}Sync`), 'createReadStream']);
  watch(fs.promises, files);
  watch(globalThis, ['setTimeout', 'setInterval', 'setImmediate']);
  return calls;
};
